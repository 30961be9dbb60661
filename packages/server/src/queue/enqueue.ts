import type { Db } from '../db/database.js'
import type { Job } from './job.js'

export interface EnqueueOptions {
  /** Names what is to be done. While a job with the same key waits, it is replaced by this one. */
  readonly key?: string
  /** Jobs of a lower number run first; 0 unless said. */
  readonly priority?: number
}

/** Adds a job in the caller's transaction: it runs once that is committed, and never if it is not. */
export async function enqueue<Payload>(
  tx: Db,
  { name, attempts }: Job<Payload>,
  payload: Payload,
  { key, priority = 0 }: EnqueueOptions = {},
): Promise<void> {
  // As text first: the driver would make JSON of a parameter that is json, and so twice.
  await tx`
    select from graphile_worker.add_job(
      ${name}::text,
      payload => ${JSON.stringify(payload)}::text::json,
      max_attempts => ${attempts}::integer,
      job_key => ${key === undefined ? null : `${name}:${key}`}::text,
      priority => ${priority}::integer
    )
  `
}
