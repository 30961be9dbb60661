/** An outage of the S3 store, with a server and a worker that use it. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { posterKind } from '../../packages/server/src/films/film-jobs.js'
import { enqueue } from '../../packages/server/src/queue/enqueue.js'
import { callsTo } from '../api/tus-calls.js'
import { startOwnApi, type TestApi } from './api.js'
import { makeClip } from './clip.js'
import { type FilmServer, serveRanges, startFilmServer } from './film-server.js'
import { readBytes, readMaster, readPlaylist } from './hls.js'
import { openWorker, untilPrepared, uploadClip } from './media.js'
import { until } from './patience.js'
import { addPublisher, type Browser, signInAs } from './publishers.js'
import { settingsOf, startS3 } from './s3.js'
import { type FaultProxy, startFaultProxy } from './s3-faults.js'

/** How long a request may take while the store hangs: 30 s, 6 more for the bytes of the clip, and what a slow machine adds. */
const longestMs = 60_000
const isAwaySentence = /^The media storage cannot be reached for the moment/

/** How the store is away: nobody listens at its address, or it takes requests and never answers. */
export type Outage = 'refuses' | 'hangs'

export interface OutageResult {
  readonly outage: Outage
  readonly awaySeconds: number
  /** How often everything was tried meanwhile. */
  readonly rounds: number
  /** After the store was back, until everything was finished. */
  readonly caughtUpSeconds: number
}

interface Stage {
  readonly store: FaultProxy
  readonly films: FilmServer
  readonly api: TestApi
  readonly owner: Browser
  readonly clip: string
  readonly film: Buffer<ArrayBuffer>
  /** A film that is ready, and that somebody has watched. */
  readonly watched: string
  /** The address of its file, which is not in the cache. */
  readonly download: string
  stop(): Promise<void>
}

/** Starts a store, a server and a worker, with a film that was watched. */
export async function openStage(): Promise<Stage> {
  const s3 = await startS3()
  const store = await startFaultProxy(s3.port, { rate: 0, random: () => 1 })
  const films = await startFilmServer()
  const patience = { outageSeconds: 5, unservedSeconds: 600 }
  const api = await startOwnApi({ storage: settingsOf(store.port), patience })
  const worker = openWorker({
    ...api,
    media: { ...api.media, isReachable: (address) => address === '127.0.0.1' },
  })
  const owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  const clip = await makeClip({ size: '160x90', rate: '15', seconds: 6 })
  const film = await readFile(clip)
  const watched = (await uploadClip(api, clip, 'Watched'))._id
  assert.equal((await untilPrepared(api, watched)).status, 'ready')
  const download = (await api.as('admin').downloads.get(watched)).url
  // The second reader brings the film into the cache of the server.
  const parts = await partsOf(api, watched)
  for (const part of [...parts, ...parts]) await readBytes(part)
  const stop = async () => {
    await worker.stop()
    await api.stop()
    await films.stop()
    await store.stop()
    await s3.stop()
  }
  return { store, films, api, owner, clip, film, watched, download, stop }
}

/** The addresses of the init segment and all segments of the smallest variant. */
async function partsOf({ url, channel }: TestApi, video: string): Promise<string[]> {
  const { variants } = await readMaster(`${url}/manifest/${video}.m3u8?api_key=${channel.keys.player}`)
  const { init, segments } = await readPlaylist(variants.at(-1)?.address ?? '')
  return [init, ...segments.map(({ address }) => address)]
}

/** Fails if the answer does not come in time. */
async function inTime<T>(what: string, answer: Promise<T>): Promise<T> {
  const begun = performance.now()
  const result = await answer
  const ms = Math.round(performance.now() - begun)
  assert.ok(ms < longestMs, `${what} took ${ms} ms`)
  return result
}

async function assertRefused(what: string, answer: Promise<Response>): Promise<void> {
  const reply = await inTime(what, answer)
  assert.deepEqual([what, reply.status, reply.headers.get('retry-after')], [what, 503, '5'])
  const text = await reply.text()
  if (text !== '') assert.match((JSON.parse(text) as { message: string }).message, isAwaySentence)
}

async function uploadAnother({ api, film }: Stage): Promise<Response> {
  const form = new FormData()
  form.set('video[title]', 'Refused')
  form.set('source', new Blob([film]), 'clip.mp4')
  return fetch(`${api.url}/uploads?api_key=${api.channel.keys.admin}`, { method: 'POST', body: form })
}

/** What is under way when the store goes away. */
interface UnderWay {
  readonly prepared: string
  readonly imported: string
  readonly upload: string
  readonly half: number
  /** Lets the sender of the imported film send the rest. */
  release(): void
}

async function beginEverything({ api, films, clip, film }: Stage): Promise<UnderWay> {
  const tus = callsTo(() => api)
  const { video_imports } = api.as('admin')
  const half = Math.floor(film.length / 2)
  const upload = await tus.begin(film.length, { filename: 'Half.mp4', title: 'Half-way' })
  assert.equal((await tus.append(upload, 0, film.subarray(0, half))).status, 204)
  let release = () => {}
  films.answer((request, reply, count) => {
    if (count > 0) return serveRanges(film, request, reply)
    reply.writeHead(200, { etag: '"one"', 'content-type': 'video/mp4', 'content-length': film.length })
    reply.write(film.subarray(0, half))
    release = () => void reply.end(film.subarray(half))
  })
  const { _id: imported } = await video_imports.create({ source_url: `${films.url}/film.mp4` })
  await until('The import', async () => (await video_imports.get(imported)).status === 'downloading')
  const { _id: prepared } = await uploadClip(api, clip, 'Being prepared')
  return { prepared, imported, upload, half, release: () => release() }
}

async function assertGoesOn(stage: Stage, { prepared, upload, half }: UnderWay): Promise<void> {
  const { api, owner, film, watched, download } = stage
  const tus = callsTo(() => api)
  const { videos, video_imports } = api.as('admin')
  for (const part of await partsOf(api, watched))
    assert.ok((await inTime('a cached segment', readBytes(part))).length > 100)
  await Promise.all([
    assertRefused('an upload', uploadAnother(stage)),
    assertRefused('a continued upload', tus.append(upload, half, film.subarray(half))),
    assertRefused('a look at an upload', tus.send('HEAD', upload)),
    assertRefused('a download', fetch(download)),
    inTime('a list', videos.list({ active: 'all' })),
    inTime('a video', videos.get(prepared)).then(({ status }) => assert.equal(status, 'processing')),
    inTime('imports', video_imports.list({})),
    inTime('an upload that begins', tus.begin(film.length, { filename: 'Later.mp4' })),
    ...['status', 'storage', 'overview'].map(async (page) => {
      const reply = await inTime(page, owner.call('GET', page, undefined, api.channel))
      assert.equal(reply.status, 200)
      const problem = page === 'status' ? reply.body.storage.problem : reply.body.problem
      if (page !== 'overview') assert.match(problem, isAwaySentence)
    }),
  ])
  await until('The warning', async () => (await warnings(api)).some((each) => isAwaySentence.test(each)))
}

/** The server is ready all the time: most of what it does needs no store. */
async function warnings({ url }: TestApi): Promise<readonly string[]> {
  const reply = await fetch(`${url}/readyz`)
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { warnings?: string[] }).warnings ?? []
}

async function assertReasons({ api }: Stage, { prepared, imported }: UnderWay): Promise<void> {
  const { videos, video_imports } = api.as('admin')
  await until('The reason of the film', async () =>
    /^Waiting since 20.* media storage/.test((await videos.get(prepared)).status_reason ?? ''),
  )
  await until('The reason of the import', async () =>
    isAwaySentence.test((await video_imports.get(imported)).status_reason ?? ''),
  )
}

async function untilReady({ api }: Stage, id: string): Promise<void> {
  const { status, status_reason } = await until(`The film ${id}`, async () => {
    const video = await api.as('admin').videos.get(id)
    return ['ready', 'failed'].includes(video.status) && video
  })
  assert.deepEqual({ status, status_reason }, { status: 'ready', status_reason: null })
}

async function assertCaughtUp(stage: Stage, { prepared, imported, upload, half }: UnderWay): Promise<void> {
  const { api, film, watched } = stage
  const { videos, video_imports, downloads } = api.as('admin')
  const tus = callsTo(() => api)
  await untilReady(stage, prepared)
  const { status, video_id } = await until('The import', async () => {
    const record = await video_imports.get(imported)
    return record.finished_at !== null && record
  })
  assert.equal(status, 'ready')
  await untilReady(stage, video_id ?? '')
  assert.equal(await tus.offsetAt(upload), half, 'acknowledged bytes are there')
  const last = await tus.append(upload, half, film.subarray(half))
  assert.equal(last.status, 204)
  const resumed = last.headers.get('x-video-id') ?? ''
  await untilReady(stage, resumed)
  for (const id of [prepared, video_id ?? '', resumed])
    assert.ok((await readBytes((await downloads.get(id)).url)).equals(film))
  const drawn = async () => (await videos.get(watched)).thumbnails.length > 0
  await until('The poster', drawn)
  await until('The end of the warning', async () => (await warnings(api)).length === 0)
}

async function assertNothingBlamed({ db }: TestApi['database']): Promise<void> {
  // A job that is running has used its last attempt too.
  const dead = await db`
    select task_identifier from graphile_worker.jobs where attempts >= max_attempts and locked_at is null
  `
  assert.deepEqual([...dead], [])
  const blamed = await db`select source_id, track, error from media_windows where failures > 0 or mishaps > 0`
  assert.deepEqual([...blamed], [])
}

/** A job with a single attempt needs the store, which is away. Returns when it has failed. */
async function failSoleAttempt({ api, watched }: Stage): Promise<void> {
  const { db } = api.database
  const [source] = await db`
    update videos set thumbnails = '[]' where _id = ${watched} returning site_id, media_source_id as source_id
  `
  const { site_id, source_id } = source as { site_id: string; source_id: string }
  await enqueue(db, { ...posterKind, attempts: 1 }, { site_id, source_id }, { key: source_id })
  await until('The failed attempt', async () => {
    const [job] = await db`
      select from graphile_worker.jobs where key = ${`poster:${source_id}`} and last_error is not null
    `
    return job !== undefined
  })
}

const secondsSince = (begun: number) => (performance.now() - begun) / 1000
const betweenRoundsMs = 10_000

/**
 * Takes the store away for at least so long, in the middle of an upload, an import and the preparation of a film. Meanwhile
 * every request must end, those that need no store with success. Afterwards everything must finish by itself.
 */
export async function endureOutage(
  stage: Stage,
  outage: Outage,
  leastSeconds: number,
): Promise<OutageResult> {
  const { store, api } = stage
  const turn = async (isAway: boolean) => (outage === 'refuses' ? store.refuse(isAway) : store.freeze(isAway))
  const underWay = await beginEverything(stage)
  const gone = performance.now()
  let rounds = 0
  await turn(true)
  try {
    underWay.release()
    // A job notices only after minutes that the store hangs.
    if (outage === 'refuses' || leastSeconds > 0) {
      await failSoleAttempt(stage)
      await assertReasons(stage, underWay)
    }
    for (; rounds === 0 || secondsSince(gone) < leastSeconds; rounds += 1) {
      if (rounds > 0) await pause(betweenRoundsMs)
      await assertGoesOn(stage, underWay)
    }
  } finally {
    await turn(false)
  }
  const back = performance.now()
  const awaySeconds = (back - gone) / 1000
  await assertCaughtUp(stage, underWay)
  const caughtUpSeconds = secondsSince(back)
  await assertNothingBlamed(api.database)
  return { outage, awaySeconds, rounds, caughtUpSeconds }
}
