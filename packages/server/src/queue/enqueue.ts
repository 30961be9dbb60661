import type { Db } from '../db/database.js'
import type { JobKind } from './job.js'

export interface EnqueueOptions {
  /** Identifies the work. A waiting job with the same key is replaced by this one. */
  readonly key?: string
  /** A waiting job with the same key keeps its place in the queue. */
  readonly keepsPlace?: true
  /** Jobs with a lower number run first; 0 by default. */
  readonly priority?: number
  /** The delay before it runs. */
  readonly inSeconds?: number
}

/** The flag of jobs that reach out. */
export const reachingOut = 'reaches_out'

/** Adds a job in the caller's transaction: it runs after the commit, and never without it. */
export async function enqueue<Payload>(
  tx: Db,
  { name, attempts, reachesOut }: JobKind<Payload>,
  payload: Payload,
  { key, keepsPlace, priority = 0, inSeconds = 0 }: EnqueueOptions = {},
): Promise<void> {
  // Cast from text, because the driver would encode a json parameter a second time.
  await tx`
    select from graphile_worker.add_job(
      ${name}::text,
      payload => ${JSON.stringify(payload)}::text::json,
      max_attempts => ${attempts}::integer,
      job_key => ${key === undefined ? null : `${name}:${key}`}::text,
      job_key_mode => ${keepsPlace ? 'preserve_run_at' : 'replace'}::text,
      priority => ${priority}::integer,
      run_at => now() + make_interval(secs => ${inSeconds}),
      flags => ${reachesOut ? [reachingOut] : null}::text[]
    )
  `
}
