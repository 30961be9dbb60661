import type { Db } from '../db/database.js'
import { type Fragment, sql } from '../db/fragment.js'
import { reachingOut } from './enqueue.js'
import { usualRhythm } from './presence.js'

/** How the error of a job begins that waits for something that is away. It is read in the rows of the queue. */
const heldUpBy = (what: string) => `Waiting for the ${what}: `

/** A job failed because something that it needs is away, and goes on when that is back. */
export class HeldUp extends Error {
  constructor(what: string, cause: unknown) {
    super(heldUpBy(what) + (cause instanceof Error ? cause.message : cause), { cause })
  }
}

/** Selects jobs that have waited for something for a while. A running attempt counts too: whether it helps is not known yet. */
export const isHeldUp = (what: string, seconds: number): Fragment => sql`
  starts_with(last_error, ${heldUpBy(what)}) and created_at < now() - make_interval(secs => ${seconds})
`

/** The names of all runners of living workers. */
export const livingRunners = sql`(
  select coalesce(array_agg(runner), '{}') from workers, unnest(runners) as runner
  where seen_at > now() - make_interval(secs => ${usualRhythm.silenceMs / 1000})
)::text[]`

/** The jobs of one kind. */
export interface QueuedJobs {
  readonly job: string
  /** To be run, now or later. */
  readonly waiting: number
  /** In the hands of a living worker. */
  readonly running: number
  /** Given up after the last attempt. */
  readonly failed: number
  /** To be run now, and in nobody's hands. Jobs that may not reach out for the moment do not count. */
  readonly due: number
  readonly due_since: Date | null
  /** Since when the oldest of them exists that waits for something that is away. */
  readonly held_up_since: Date | null
}

/** More jobs are not counted: the figures are read every few seconds. */
const mostCounted = 100_000

/** The jobs in the queue, by kind. Kinds without a job are left out. */
export const readQueue = (db: Db): Promise<QueuedJobs[]> => db<QueuedJobs[]>`
  with jobs as (
    select task_id, run_at, case when last_error ~ '^Waiting for the (media storage|disk): ' then created_at end as held_up_at, locked_by is not null as is_locked, attempts < max_attempts as is_open,
      locked_by = any(${livingRunners}) as is_running,
      coalesce(jsonb_exists(flags, ${reachingOut}), false) and exists (
        select from library_lease where doubt is not null
      ) as is_kept
    from graphile_worker._private_jobs limit ${mostCounted}
  ), judged as (
    select *, is_locked and not is_running or not is_locked and is_open and run_at <= now() and not is_kept as is_due
    from jobs
  )
  select identifier as job,
    (count(*) filter (where not is_locked and is_open))::int as waiting,
    (count(*) filter (where is_running))::int as running,
    (count(*) filter (where not is_locked and not is_open))::int as failed,
    (count(*) filter (where is_due))::int as due,
    min(run_at) filter (where is_due) as due_since, min(held_up_at) as held_up_since
  from judged join graphile_worker._private_tasks as tasks on tasks.id = task_id group by identifier
`

export interface LivingWorkers {
  readonly alive: number
  /** Those that have ffmpeg. */
  readonly encoding: number
  /** Those that have a job in hand. */
  readonly busy: number
}

export async function readWorkers(db: Db): Promise<LivingWorkers> {
  const [row] = await db<LivingWorkers[]>`
    select count(*)::int as alive, (count(*) filter (where makes_windows))::int as encoding,
      (count(*) filter (where exists (
        select from graphile_worker._private_jobs where locked_by = any(runners)
      )))::int as busy
    from workers where seen_at > now() - make_interval(secs => ${usualRhythm.silenceMs / 1000})
  `
  return row ?? { alive: 0, encoding: 0, busy: 0 }
}

type JobCounts = Pick<QueuedJobs, 'waiting' | 'running' | 'failed'>

/** The number of jobs of a channel in each state. They name it in their payload. */
export async function countJobsOf(db: Db, site_id: string): Promise<JobCounts> {
  const [row] = await db<JobCounts[]>`
    select
      (count(*) filter (where locked_at is null and attempts < max_attempts))::int as waiting,
      (count(*) filter (where locked_at is not null))::int as running,
      (count(*) filter (where locked_at is null and attempts >= max_attempts))::int as failed
    from graphile_worker._private_jobs where payload ->> 'site_id' = ${site_id}
  `
  return row ?? { waiting: 0, running: 0, failed: 0 }
}
