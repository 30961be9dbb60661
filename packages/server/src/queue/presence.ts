import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/database.js'
import { openPool } from './connections.js'

/** The interval of heartbeats, and how long a worker may miss them. */
export interface Rhythm {
  readonly beatMs: number
  readonly silenceMs: number
}

export const usualRhythm: Rhythm = { beatMs: 2000, silenceMs: 10_000 }

export interface PresenceOptions {
  readonly connectionUrl: string
  readonly id: string
  readonly makesWindows: () => boolean
  readonly rhythm?: Rhythm
  readonly onError: (error: unknown) => void
}

/** Announces that this process is alive, and the names under which it takes jobs. */
export interface Presence {
  /** Resolves once others can see the name. Taking a job earlier would look like one of a dead worker. */
  enter(runner: string): Promise<void>
  leave(runner: string): void
  /** Puts a job back without using an attempt, because the process is stopping. */
  putBack(jobId: string): Promise<void>
  /** Has a failed job retried soon, up to so many times, because the failure was not its own. */
  tryAgain(jobId: string, most: number): Promise<void>
  close(): Promise<void>
}

/**
 * A job that is put back gets a new id. Its former worker, if it is alive after all, may still complete the
 * old id; otherwise it would complete another worker's job, or a new job with the same key.
 */
const freed = 'id = default, locked_at = null, locked_by = null'
const noAttempt = (most: number) => `max_attempts = greatest(max_attempts, least(max_attempts + 1, ${most}))`
/** A job that kills every worker, or the programs it starts, must end eventually. */
export const mostMishaps = 100
/** An outage may last for weeks: more is not a number of attempts in the queue. */
export const mostInOutage = 32_767
/** A job lost with its worker does not use an attempt. */
const lost = `${freed}, ${noAttempt(mostMishaps)}`

/** Call when a worker is known to have ended, so that others need not wait for missed heartbeats. */
export async function dismissWorker(db: Db, id: string): Promise<void> {
  await db.unsafe(
    `with gone as (delete from workers where _id = $1 returning runners)
     update graphile_worker._private_jobs set ${lost} from gone where locked_by = any(gone.runners)`,
    [id],
  )
}

/** Keeps this worker's heartbeat current, and puts back the jobs of workers that missed theirs. */
export function openPresence({
  connectionUrl,
  id,
  makesWindows,
  rhythm: { beatMs, silenceMs } = usualRhythm,
  onError,
}: PresenceOptions): Presence {
  // A separate connection: a busy pool must not make this worker look dead.
  const pool = openPool(connectionUrl, {
    max: 1,
    connectionTimeoutMillis: silenceMs,
    query_timeout: silenceMs,
  })
  const runners = new Set<string>()
  const closing = new AbortController()
  const { signal } = closing
  let lastBeat = Number.NEGATIVE_INFINITY
  let watchingSince = 0

  async function beat(): Promise<void> {
    await pool.query(
      `insert into workers (_id, runners, makes_windows) values ($1, $2, $3)
       on conflict (_id) do update
       set runners = excluded.runners, makes_windows = excluded.makes_windows, seen_at = now()`,
      [id, [...runners], makesWindows()],
    )
    const now = performance.now()
    // A process that was suspended cannot judge others, so everyone gets time for a heartbeat.
    if (now - lastBeat > 2 * beatMs) watchingSince = now
    lastBeat = now
  }

  async function giveBack(): Promise<void> {
    const silent = `seen_at < now() - make_interval(secs => ${silenceMs / 1000})`
    await pool.query(`delete from workers where ${silent}`)
    await pool.query(
      `update graphile_worker._private_jobs set ${lost}
       where locked_by is not null and not exists (select from workers where locked_by = any(runners))`,
    )
  }

  let isReported = false
  async function beatOnce(): Promise<void> {
    try {
      await beat()
      if (performance.now() - watchingSince >= silenceMs) await giveBack()
      isReported = false
    } catch (error) {
      if (!isReported && !signal.aborted) onError(error)
      isReported = true
    }
  }

  async function keepBeating(): Promise<void> {
    while (!signal.aborted) {
      await beatOnce()
      await delay(beatMs, undefined, { signal }).catch(() => {})
    }
  }
  const beating = keepBeating()

  return {
    async enter(runner) {
      runners.add(runner)
      while (!signal.aborted)
        try {
          return await beat()
        } catch {
          await delay(beatMs / 4, undefined, { signal }).catch(() => {})
        }
    },
    leave: (runner) => void runners.delete(runner),
    async putBack(jobId) {
      await pool
        .query(
          `update graphile_worker._private_jobs set ${freed}, attempts = greatest(attempts - 1, 0) where id = $1`,
          [jobId],
        )
        .catch(() => {})
    },
    async tryAgain(jobId, most) {
      // The queue itself would wait longer after each failure, up to hours. What fails again and again waits a minute.
      await pool
        .query(
          `update graphile_worker._private_jobs set run_at = now() + make_interval(secs => least(2 * attempts, 60)), ${noAttempt(most)}
           where id = $1 and locked_by is null`,
          [jobId],
        )
        .catch(() => {})
    },
    async close() {
      closing.abort()
      await beating
      await pool.query('delete from workers where _id = $1', [id]).catch(() => {})
      await Promise.race([pool.end(), delay(beatMs, undefined, { ref: false })])
    },
  }
}
