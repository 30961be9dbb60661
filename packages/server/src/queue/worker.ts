import { Logger, parseCronItems, type Runner, run, runMigrations, type TaskList } from 'graphile-worker'
import type { Db } from '../db/database.js'
import type { Job, JobContext } from './define-job.js'

export interface WorkerOptions {
  readonly connectionUrl: string
  readonly jobs: readonly Job[]
  readonly context: JobContext
  readonly concurrency: number
  readonly onError: (error: unknown) => void
}

export interface Worker {
  stop(): Promise<void>
}

const quiet = new Logger(() => () => {})
const restartMs = 1000

/** Makes or upgrades the queue's own tables. */
export const migrateQueue = (connectionUrl: string): Promise<void> =>
  runMigrations({ connectionString: connectionUrl, logger: quiet })

/** Runs jobs until stopped; comes back by itself when the database was away. */
export function startWorker({ connectionUrl, jobs, context, concurrency, onError }: WorkerOptions): Worker {
  const names = new Set(jobs.map(({ name }) => name))
  if (names.size !== jobs.length) throw new Error('Two jobs have the same name')
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown) => job.run(payload, context)]),
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
    connectionString: connectionUrl,
    taskList,
    parsedCronItems: parseCronItems(cron),
    concurrency,
    maxPoolSize: concurrency + 2,
    noHandleSignals: true,
    logger: quiet,
  }
  let runner: Runner | undefined
  let stopped = false
  let waiting: NodeJS.Timeout | undefined

  const start = async (): Promise<void> => {
    try {
      runner = await run(options)
      if (stopped) await runner.stop()
      await runner.promise
    } catch (error) {
      if (!stopped) onError(error)
    }
    runner = undefined
    if (!stopped) waiting = setTimeout(() => void start(), restartMs)
  }
  const running = start()

  return {
    async stop() {
      stopped = true
      clearTimeout(waiting)
      await runner?.stop().catch(() => {})
      await running
    },
  }
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
