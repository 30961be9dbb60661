import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type JobHelpers,
  Logger,
  parseCronItems,
  type Runner,
  run as runJobs,
  runMigrations,
  type TaskList,
} from 'graphile-worker'
import { isDatabaseAway } from '../db/violation.js'
import { openPool } from './connections.js'
import { reachingOut } from './enqueue.js'
import { type Job, type JobLine, lineOf } from './job.js'
import { mostInOutage, mostMishaps, openPresence, type Presence, type Rhythm } from './presence.js'
import { HeldUp } from './queue-state.js'

export interface WorkerOptions<Context> {
  readonly connectionUrl: string
  readonly jobs: readonly Job<unknown, Context>[]
  readonly context: Context
  /** The id of its row among the workers. */
  readonly id?: string
  /** Parallel jobs that somebody waits for. */
  readonly concurrency: number
  /** Parallel background jobs, which never delay the others. */
  readonly backgroundConcurrency?: number
  /** Whether other processes may request windows from this one. */
  readonly makesWindows?: () => boolean
  /** Jobs that cannot run here stay in the queue. */
  readonly canRun?: (job: Job<unknown, Context>) => boolean
  /** Whether jobs that reach out may run now; the others always may. */
  readonly mayReachOut?: () => boolean
  /** Whether the job did not cause its failure: then it is tried again soon, without using an attempt. */
  readonly isMishap?: (error: unknown) => boolean
  /** What is away that jobs need, if that is why it failed: then it is tried again however often that fails. */
  readonly outageOf?: (error: unknown) => string | undefined
  readonly rhythm?: Rhythm
  readonly onError: (error: unknown) => void
}

export interface Worker {
  readonly id: string
  /** Call when `canRun` may have changed: also takes the jobs it now allows. */
  takeMore(): void
  stop(): Promise<void>
}

const quiet = new Logger(() => () => {})
const restartMs = 1000
const patience = 2000
/** How many jobs that wait for other machines run in parallel. */
const waitingAtOnce = 4

/** Creates or upgrades the queue's own tables. */
export const migrateQueue = (connectionUrl: string): Promise<void> =>
  runMigrations({ connectionString: connectionUrl, logger: quiet })

/** Runs jobs until stopped; recovers when the database comes back. */
export function startWorker<Context>(options: WorkerOptions<Context>): Worker {
  const { connectionUrl, jobs, concurrency, backgroundConcurrency = 1 } = options
  const { makesWindows = () => false, canRun = () => true } = options
  const names = new Set(jobs.map(({ name }) => name))
  if (names.size !== jobs.length) throw new Error('Two jobs have the same name')
  const { id = randomBytes(12).toString('hex'), rhythm, onError } = options
  const presence = openPresence({
    connectionUrl,
    id,
    makesWindows,
    ...(rhythm ? { rhythm } : {}),
    onError,
  })
  const taken = new Set<Job<unknown, Context>>()
  const lines: Pick<Worker, 'stop'>[] = []
  let isStopping = false
  const takeMore = () => {
    if (isStopping) return
    const more = jobs.filter((job) => !taken.has(job) && canRun(job))
    for (const job of more) taken.add(job)
    const most = { awaited: concurrency, background: backgroundConcurrency, waiting: waitingAtOnce }
    const kinds = (Object.keys(most) as JobLine[]).map((line) => ({
      jobs: more.filter((job) => lineOf(job) === line),
      concurrency: most[line],
    }))
    for (const kind of kinds)
      if (kind.jobs.length > 0) lines.push(startLine({ ...options, ...kind }, presence))
  }
  takeMore()
  return {
    id,
    takeMore,
    async stop() {
      isStopping = true
      await Promise.all(lines.map((line) => line.stop()))
      await presence.close()
    },
  }
}

/** Runs some of the jobs with this concurrency. */
function startLine<Context>(options: WorkerOptions<Context>, presence: Presence): Pick<Worker, 'stop'> {
  const { connectionUrl, jobs, context, concurrency, onError } = options
  const { outageOf = (error) => (isDatabaseAway(error) ? 'database' : undefined) } = options
  const { isMishap = (error) => outageOf(error) !== undefined } = options
  const { mayReachOut = () => true } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (job: Job<unknown, Context>, payload: unknown, id: string) => {
    try {
      await runLogged(job, payload, context, (error) => signal.aborted || onError(error))
    } catch (error) {
      if (signal.aborted) await presence.putBack(id)
      const outage = outageOf(error)
      throw outage === undefined ? error : new HeldUp(outage, error)
    }
  }
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown, { job: { id } }: JobHelpers) => run(job, payload, id)]),
  )
  const plugin = {
    name: 'presence',
    version: '1',
    worker: {
      hooks: {
        startWorker: (_context: unknown, { worker }: { worker: { workerId: string } }) =>
          presence.enter(worker.workerId),
      },
    },
  }
  const settings = {
    taskList,
    parsedCronItems: parseCronItems(cronOf(jobs)),
    concurrency,
    noHandleSignals: true,
    forbiddenFlags: () => (mayReachOut() ? null : [reachingOut]),
    logger: quiet,
    preset: { plugins: [plugin] },
  }
  let runner: Runner | undefined
  const end = async () => runner?.stop().catch(() => {})

  async function work(): Promise<void> {
    const pgPool = openPool(connectionUrl, { max: concurrency + 2 })
    try {
      runner = await runJobs({ ...settings, pgPool })
      // After the failure was recorded: if the database was unreachable, it is back.
      runner.events.on('job:complete', ({ job: { id }, error }) => {
        if (error instanceof HeldUp) void presence.tryAgain(id, mostInOutage)
        else if (isMishap(error)) void presence.tryAgain(id, mostMishaps)
      })
      runner.events.on('worker:stop', ({ worker }) => presence.leave(worker.workerId))
      // A runner that could not record a job's end is gone, and the others do not replace it.
      runner.events.on('worker:fatalError', ({ error }) => {
        onError(error)
        void end()
      })
      if (signal.aborted) await end()
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
      await end()
      await working
    },
  }
}

const cronOf = (jobs: readonly Job[]) =>
  jobs.flatMap(({ name, every, attempts }) =>
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

/** The queue retries a failed job. It is also logged, because otherwise only a database row would show it. */
async function runLogged<Context>(
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
