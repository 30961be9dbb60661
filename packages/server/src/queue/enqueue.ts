import type { Db } from '../db/database.js'
import type { JobKind } from './job.js'

export interface EnqueueOptions {
  /** Names what is to be done. While a job with the same key waits, it is replaced by this one. */
  readonly key?: string
  /** While a job with the same key waits, it keeps its place in the queue. */
  readonly keepsPlace?: true
  /** Jobs of a lower number run first; 0 unless said. */
  readonly priority?: number
  /** How long to wait before it runs. */
  readonly inSeconds?: number
}

/** Adds a job in the caller's transaction: it runs once that is committed, and never if it is not. */
export async function enqueue<Payload>(
  tx: Db,
  { name, attempts }: JobKind<Payload>,
  payload: Payload,
  { key, keepsPlace, priority = 0, inSeconds = 0 }: EnqueueOptions = {},
): Promise<void> {
  // As text first: the driver would make JSON of a parameter that is json, and so twice.
  await tx`
    select from graphile_worker.add_job(
      ${name}::text,
      payload => ${JSON.stringify(payload)}::text::json,
      max_attempts => ${attempts}::integer,
      job_key => ${key === undefined ? null : `${name}:${key}`}::text,
      job_key_mode => ${keepsPlace ? 'preserve_run_at' : 'replace'}::text,
      priority => ${priority}::integer,
      run_at => now() + make_interval(secs => ${inSeconds})
    )
  `
}
