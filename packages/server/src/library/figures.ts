import type { Database, Db } from '../db/database.js'
import { isDatabaseAway } from '../db/violation.js'
import { within } from '../lib/deadline.js'
import { byLabel, gauge, type MetricReading } from '../lib/readings.js'
import type { StoreTrouble } from '../media-segments/media-parts.js'
import { type Job, lineOf } from '../queue/job.js'
import { readQueue, readWorkers } from '../queue/queue-state.js'
import { type DiskFolders, readDisks } from '../storage/disks.js'
import { storageAway } from './trouble.js'

interface FigureOptions {
  readonly database: Pick<Database, 'db' | 'connections'>
  readonly jobs: readonly Pick<Job, 'name' | 'isBackground' | 'waits'>[]
  readonly store: StoreTrouble
  readonly disks: DiskFolders
}

/** Figures are read again after this time. Several servers of Prometheus may ask. */
const freshMs = 5000
/** A scrape waits no longer for the database. */
const patienceMs = 3000
/** More rows of a kind are not counted. */
const mostCounted = 100_000

/** Thrown and caught here. */
class SilentDatabase extends Error {}

/** What metrics say beside the requests of this process. Without the database, its figures are missing. */
export function openFigures({ database, jobs, store, disks }: FigureOptions): () => Promise<MetricReading[]> {
  let read: Promise<MetricReading[]> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function ofDatabase(): Promise<MetricReading[]> {
    const up = (value: number) => gauge('database_up', 'Whether the database answers.', [{}, value])
    try {
      const late = () => new SilentDatabase()
      return [up(1), ...(await within(patienceMs, readDatabase(database, jobs), late))]
    } catch (error) {
      if (!(error instanceof SilentDatabase || isDatabaseAway(error))) throw error
      return [up(0)]
    }
  }

  async function readAll(): Promise<MetricReading[]> {
    const [ours, spaces] = await Promise.all([ofDatabase(), readDisks(disks)])
    const isUp = store.seen() === storageAway ? 0 : 1
    const perDisk = (amount: 'free' | 'size') =>
      spaces.map((disk) => [{ folder: disk.folder }, disk[amount]] as const)
    return [
      ...ours,
      gauge('store_up', 'Whether the media storage answers.', [{}, isUp]),
      gauge('disk_free_bytes', 'Free space of the disk with this folder.', ...perDisk('free')),
      gauge('disk_size_bytes', 'Size of the disk with this folder.', ...perDisk('size')),
    ]
  }

  return () => {
    if (!read || performance.now() - readAt > freshMs) {
      readAt = performance.now()
      read = readAll()
    }
    return read
  }
}

async function readDatabase(
  { db, connections }: FigureOptions['database'],
  jobs: FigureOptions['jobs'],
): Promise<MetricReading[]> {
  const [pool, inQueue, ...others] = await Promise.all([
    connections(),
    queueReadings(db, jobs),
    workerReadings(db),
    filmReadings(db),
    webhookReadings(db),
    scheduleReadings(db),
  ])
  return [
    gauge('database_connections', 'Connections to the database.', ...byLabel('state', pool)),
    ...inQueue,
    ...others.flat(),
  ]
}

async function queueReadings(db: Db, jobs: FigureOptions['jobs']): Promise<MetricReading[]> {
  const queue = await readQueue(db)
  const sum = (state: 'waiting' | 'running' | 'failed') =>
    queue.reduce((total, kind) => total + kind[state], 0)
  const counts = { waiting: sum('waiting'), running: sum('running'), failed: sum('failed') }
  const age = (name: string) => {
    const since = queue.find(({ job }) => job === name)?.due_since
    return since ? Math.max(0, (Date.now() - since.getTime()) / 1000) : 0
  }
  const ages = jobs.map((job) => [{ job: job.name, queue: lineOf(job) }, age(job.name)] as const)
  return [
    gauge('jobs', 'Jobs in the queue, by state.', ...byLabel('state', counts)),
    gauge('job_oldest_due_seconds', 'How long the oldest due job has waited for a worker.', ...ages),
  ]
}

async function workerReadings(db: Db): Promise<MetricReading[]> {
  const { alive, busy, encoding } = await readWorkers(db)
  return [
    gauge(
      'workers',
      'Workers that are alive, have a job in hand, or have ffmpeg.',
      ...byLabel('state', { alive, busy, encoding }),
    ),
  ]
}

interface CountedState {
  readonly state: string
  readonly count: number
}

/** A count for each state, also of those without a row. */
const countsOf = (states: readonly string[], rows: readonly CountedState[]) =>
  Object.fromEntries(
    states.map((state) => [state, rows.find((row) => row.state === state)?.count ?? 0] as const),
  )

/** Only states that a partial index finds: there may be millions of others. */
async function filmReadings(db: Db): Promise<MetricReading[]> {
  const [films, imports] = await Promise.all([
    db<CountedState[]>`
      select status as state, count(*)::int as count from (
        select status from videos where status in ('uploading', 'processing', 'failed') and deleted_at is null
        limit ${mostCounted}
      ) as counted group by status
    `,
    db<CountedState[]>`
      select status as state, count(*)::int as count from video_imports
      where status in ('created', 'downloading') group by status
    `,
  ])
  return [
    gauge(
      'films',
      'Films that are on their way or failed, by status.',
      ...byLabel('status', countsOf(['uploading', 'processing', 'failed'], films)),
    ),
    gauge(
      'imports',
      'Imports that are not finished, by status.',
      ...byLabel('status', countsOf(['created', 'downloading'], imports)),
    ),
  ]
}

async function webhookReadings(db: Db): Promise<MetricReading[]> {
  const [webhooks, recent, [waiting]] = await Promise.all([
    db<CountedState[]>`
      select case when active then case when failing_since is null then 'working' else 'failing' end else 'paused' end as state,
        count(*)::int as count
      from webhooks group by 1
    `,
    db<CountedState[]>`
      select status as state, count(*)::int as count from (
        select status from webhook_deliveries where created_at > now() - interval '5 minutes' limit ${mostCounted}
      ) as counted group by status
    `,
    db<{ count: number }[]>`
      select count(*)::int as count from (
        select from webhook_deliveries where status = 'waiting' limit ${mostCounted}
      ) as counted
    `,
  ])
  const results = countsOf(['waiting', 'delivered', 'failed'], recent)
  return [
    gauge(
      'webhooks',
      'Webhooks that work, fail, or are switched off.',
      ...byLabel('state', countsOf(['working', 'failing', 'paused'], webhooks)),
    ),
    gauge(
      'webhook_deliveries_recent',
      'Deliveries made in the last five minutes, by result.',
      ...byLabel('result', results),
    ),
    gauge('webhook_deliveries_waiting', 'Deliveries that are still to be sent.', [{}, waiting?.count ?? 0]),
  ]
}

async function scheduleReadings(db: Db): Promise<MetricReading[]> {
  const rows = await db<{ job: string; at: number }[]>`
    select identifier as job, extract(epoch from last_execution)::float8 as at
    from graphile_worker._private_known_crontabs where last_execution is not null
  `
  const times = rows.map(({ job, at }) => [{ job }, at] as const)
  return [gauge('job_last_start_timestamp_seconds', 'When a job with a schedule was last started.', ...times)]
}
