import { setTimeout as delay } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, runMigrations, type TaskList } from 'graphile-worker'
import { Pool } from 'pg'
import type { Db } from '../db/database.js'
import type { Job } from './job.js'

export interface WorkerOptions<Context> {
  readonly connectionUrl: string
  readonly jobs: readonly Job<unknown, Context>[]
  readonly context: Context
  readonly concurrency: number
  readonly onError: (error: unknown) => void
}

export interface Worker {
  stop(): Promise<void>
}

const quiet = new Logger(() => () => {})
const restartMs = 1000
const patience = 2000

/** Makes or upgrades the queue's own tables. */
export const migrateQueue = (connectionUrl: string): Promise<void> =>
  runMigrations({ connectionString: connectionUrl, logger: quiet })

/** Runs jobs until stopped; comes back by itself when the database was away. */
export function startWorker<Context>({
  connectionUrl,
  jobs,
  context,
  concurrency,
  onError,
}: WorkerOptions<Context>): Worker {
  const names = new Set(jobs.map(({ name }) => name))
  if (names.size !== jobs.length) throw new Error('Two jobs have the same name')
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown) => runTold(job, payload, context, onError)]),
  )
  const cron = jobs.flatMap(({ name, every, attempts }) =>
    every
      ? [
          {
            task: name,
            match: every,
            identifier: name,
            options: { maxAttempts: attempts, backfillPeriod: 0 },
          },
        ]
      : [],
  )
  const options = {
    taskList,
    parsedCronItems: parseCronItems(cron),
    concurrency,
    noHandleSignals: true,
    logger: quiet,
  }
  let runner: Runner | undefined
  const stopping = new AbortController()
  const { signal } = stopping

  async function work(): Promise<void> {
    const pgPool = openPool(connectionUrl, concurrency + 2)
    try {
      runner = await run({ ...options, pgPool })
      if (signal.aborted) await runner.stop()
      await runner.promise
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    runner = undefined
    await Promise.race([pgPool.end(), delay(patience, undefined, { ref: false })])
  }

  async function keepWorking(): Promise<void> {
    while (!signal.aborted) {
      await work()
      await delay(restartMs, undefined, { signal }).catch(() => {})
    }
  }
  const working = keepWorking()

  return {
    async stop() {
      stopping.abort()
      await runner?.stop().catch(() => {})
      await working
    },
  }
}

/** A job that fails is tried again by the queue, and told of: otherwise only a row in the database would know. */
async function runTold<Context>(
  job: Job<unknown, Context>,
  payload: unknown,
  context: Context,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    await job.run(payload, context)
  } catch (cause) {
    onError(
      new Error(`The job ${job.name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause }),
    )
    throw cause
  }
}

/** A connection that is lost raises an error nobody waits for; unheard, it would end the process. Queries fail by themselves. */
function openPool(connectionString: string, max: number): Pool {
  const pool = new Pool({ connectionString, max })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** How many jobs there are in each state. */
export async function countJobs(db: Db): Promise<Record<string, number>> {
  const [row] = await db<{ waiting: string; running: string; failed: string }[]>`
    select
      count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
      count(*) filter (where locked_at is not null) as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts) as failed
    from graphile_worker.jobs
  `
  return { waiting: Number(row?.waiting), running: Number(row?.running), failed: Number(row?.failed) }
}
