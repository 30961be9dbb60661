import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { patienceMs, until } from './patience.js'
import {
  isAlive,
  makeGround,
  postmasterPid,
  type RunningServer,
  readCredentials,
  startServer,
} from './server-process.js'

type Settings = Parameters<typeof startServer>[0] & { readonly DATA_DIR: string }
type Victim = 'server' | 'PostgreSQL' | 'both'
const victims: readonly Victim[] = ['server', 'PostgreSQL', 'both']

export interface ChaosOptions {
  readonly kills: number
  /** The number of concurrent writers, and how long each pauses between two videos. */
  readonly writers: number
  readonly writersPauseMs?: number
  readonly random: () => number
  readonly report: (line: string) => void
}

export interface ChaosResult {
  /** What was killed, and the time until the next video was acknowledged. */
  readonly kills: readonly { readonly victim: Victim; readonly ms: number }[]
  readonly attempted: number
  readonly acknowledged: number
  /** Source ids that were acknowledged but are missing. */
  readonly lost: readonly string[]
  /** Source ids that exist more than once. */
  readonly duplicated: readonly string[]
  /** The number of videos, counted in independent ways. */
  readonly counts: {
    readonly rows: number
    readonly distinctIds: number
    readonly byPages: number
    readonly bySums: number
    readonly byMinutes: number
    readonly byWalking: number
  }
}

interface Writers {
  readonly attempted: number
  /** Ids by source id. */
  readonly acknowledged: ReadonlyMap<string, string>
  readonly lastFailureAt: number
  readonly lastSuccessAt: number
  /** The first success after the last failure. */
  readonly backAt: number | undefined
  stop(): Promise<void>
}

/** Creates videos again and again, each with its own source id, and remembers which were acknowledged. */
function startWriters(url: string, key: string, count: number, pauseMs: number): Writers {
  let stopped = false
  const state = {
    attempted: 0,
    acknowledged: new Map<string, string>(),
    lastFailureAt: 0,
    lastSuccessAt: 0,
    backAt: undefined as number | undefined,
    async stop() {
      stopped = true
      await running
    },
  }
  const write = async () => {
    while (!stopped) {
      state.attempted += 1
      const source_id = `chaos-${state.attempted}`
      const id = await create(url, key, source_id)
      if (id) {
        state.acknowledged.set(source_id, id)
        state.lastSuccessAt = performance.now()
        state.backAt ??= state.lastSuccessAt
        await delay(pauseMs)
      } else {
        state.lastFailureAt = performance.now()
        state.backAt = undefined
        await delay(20)
      }
    }
  }
  const running = Promise.all(Array.from({ length: count }, write))
  return state
}

/** Creates a video. Returns its id if the server acknowledged it. */
async function create(url: string, key: string, source_id: string): Promise<string | undefined> {
  try {
    const reply = await fetch(`${url}/videos`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ video: { title: `Video ${source_id}`, source_id } }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const { response } = (await reply.json()) as { response?: { _id: string } }
    return reply.status === 201 ? response?._id : undefined
  } catch {
    return undefined
  }
}

const calm = 400

/** Waits until creating videos works again and keeps working. Returns the time from the kill to the first success. */
async function recovery(writers: Writers, killedAt: number): Promise<number> {
  for (;;) {
    if (performance.now() - killedAt > patienceMs)
      throw new Error('Nothing could be created any more after a kill')
    // A kill that no request noticed has a recovery time of zero. On a busy machine no request may have been sent yet.
    if (writers.backAt && writers.lastSuccessAt - Math.max(killedAt, writers.lastFailureAt) > calm)
      return Math.round(Math.max(writers.backAt - killedAt, 0))
    await delay(5)
  }
}

async function kill(victim: Victim, server: RunningServer, env: Settings): Promise<RunningServer> {
  const postmaster = await until('PostgreSQL', async () => {
    const pid = await postmasterPid(env).catch(() => 0)
    return pid > 0 && isAlive(pid) ? pid : undefined
  })
  if (victim !== 'PostgreSQL') server.signal('SIGKILL')
  if (victim !== 'server') process.kill(postmaster, 'SIGKILL')
  if (victim === 'PostgreSQL') return server
  await server.ended
  return startServer(env)
}

/** Kills the server, its PostgreSQL or both repeatedly while videos are created, then counts the videos. */
export async function runChaos({
  kills,
  writers: count,
  writersPauseMs = 0,
  random,
  report,
}: ChaosOptions): Promise<ChaosResult> {
  const { env, remove } = await makeGround()
  const settings = { ...env, LOG_LEVEL: 'warn' }
  let server = await startServer(settings)
  try {
    const { keys } = await readCredentials(env)
    const writers = startWriters(server.url, keys.admin, count, writersPauseMs)
    const done: { victim: Victim; ms: number }[] = []
    while (done.length < kills) {
      await delay(200 + random() * 1300)
      // Every kind of victim is killed once before any is killed again.
      const victim =
        victims[done.length < victims.length ? done.length : Math.floor(random() * victims.length)] ?? 'both'
      const killedAt = performance.now()
      server = await kill(victim, server, settings)
      const ms = await recovery(writers, killedAt)
      done.push({ victim, ms })
      report(`${done.length}. ${victim} killed: back after ${ms} ms`)
    }
    await writers.stop()
    return { kills: done, ...(await audit(server.url, keys.admin, settings, writers)) }
  } finally {
    await server.stop()
    await remove()
  }
}

interface Video {
  readonly _id: string
  readonly source_id: string
}

/** Compares the acknowledged videos with the stored ones, in every way the API and the database offer. */
async function audit(
  url: string,
  key: string,
  env: Settings,
  { attempted, acknowledged }: Writers,
): Promise<Omit<ChaosResult, 'kills'>> {
  const connection = await findRunningPostgres(join(env.DATA_DIR, 'postgres'))
  if (!connection) throw new Error('PostgreSQL does not run')
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} })
  const videos = await sql<Video[]>`select _id, source_id from videos`
  const [sums] = await sql<{ days: string; minutes: string }[]>`
    select
      (select coalesce(sum(total), 0) from list_days) + (select coalesce(sum(delta), 0) from list_changes) as days,
      (select coalesce(sum(total), 0) from list_minutes) + (select coalesce(sum(delta), 0) from list_changes) as minutes
  `
  await sql.end()
  const there = new Map(videos.map(({ _id, source_id }) => [source_id, _id]))
  const seen = new Set<string>()
  return {
    attempted,
    acknowledged: acknowledged.size,
    lost: [...acknowledged]
      .filter(([source_id, id]) => there.get(source_id) !== id)
      .map(([source_id]) => source_id),
    duplicated: videos
      .filter(({ source_id }) => seen.size === seen.add(source_id).size)
      .map(({ source_id }) => source_id),
    counts: {
      rows: videos.length,
      distinctIds: new Set(videos.map(({ _id }) => _id)).size,
      byPages: await countPages(url, key),
      bySums: Number(sums?.days),
      byMinutes: Number(sums?.minutes),
      byWalking: await countByWalking(url, key),
    },
  }
}

interface List {
  readonly response: readonly { readonly _id: string }[]
  readonly pagination: { readonly pages: number; readonly next_cursor: string | null }
}

const list = async (url: string, key: string, query: string): Promise<List> =>
  (await (await fetch(`${url}/videos?${query}`, { headers: { 'x-api-key': key } })).json()) as List

/** With one record per page, the number of pages is the number of records. */
const countPages = async (url: string, key: string): Promise<number> =>
  (await list(url, key, 'per_page=1')).pagination.pages

async function countByWalking(url: string, key: string): Promise<number> {
  const ids = new Set<string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const { response, pagination }: List = await list(
      url,
      key,
      `per_page=100&response_fields=_id&cursor=${cursor}`,
    )
    for (const { _id } of response) ids.add(_id)
    cursor = pagination.next_cursor
  }
  return ids.size
}
