/** The short form of an outage of the S3 store: what goes on meanwhile, and that everything catches up by itself. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { posterKind } from '../../packages/server/src/films/film-jobs.js'
import { enqueue } from '../../packages/server/src/queue/enqueue.js'
import { callsTo } from '../api/tus-calls.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { type FilmServer, serveRanges, startFilmServer } from '../support/film-server.js'
import { readBytes, readMaster, readPlaylist } from '../support/hls.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'
import { addPublisher, type Browser, signInAs } from '../support/publishers.js'
import { settingsOf, startS3, type TestS3 } from '../support/s3.js'
import { type FaultProxy, startFaultProxy } from '../support/s3-faults.js'

/** How long a request may take while the store hangs: 30 s, 6 more for the bytes of the clip, and what a slow machine adds. */
const longestMs = 60_000
const isAwaySentence = /^The media storage cannot be reached for the moment/

let s3: TestS3
let store: FaultProxy
let films: FilmServer
let api: TestApi
let worker: { stop(): Promise<void> }
let owner: Browser
let clip: string
let film: Buffer<ArrayBuffer>
/** A film that is ready, and that somebody has watched. */
let watched: string
/** The address of its file, which is not in the cache. */
let download: string
const tus = callsTo(() => api)
const videos = () => api.as('admin').videos
const imports = () => api.as('admin').video_imports

before(async () => {
  s3 = await startS3()
  store = await startFaultProxy(s3.port, { rate: 0, random: () => 1 })
  films = await startFilmServer()
  api = await startOwnApi({ storage: settingsOf(store.port) })
  worker = openWorker({ ...api, media: { ...api.media, isReachable: (address) => address === '127.0.0.1' } })
  owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  clip = await makeClip({ seconds: 6 })
  film = await readFile(clip)
  watched = (await uploadClip(api, clip, 'Watched'))._id
  assert.equal((await untilPrepared(api, watched)).status, 'ready')
  download = (await api.as('admin').downloads.get(watched)).url
  // The second reader brings the film into the cache of the server.
  const parts = await partsOf(watched)
  for (const part of [...parts, ...parts]) await readBytes(part)
})
after(async () => {
  await worker.stop()
  await api.stop()
  await films.stop()
  await store.stop()
  await s3.stop()
})

/** The addresses of the init segment and all segments of the smallest variant. */
async function partsOf(video: string): Promise<string[]> {
  const { variants } = await masterOf(video)
  const { init, segments } = await readPlaylist(variants.at(-1)?.address ?? '')
  return [init, ...segments.map(({ address }) => address)]
}

const masterOf = (video: string) =>
  readMaster(`${api.url}/manifest/${video}.m3u8?api_key=${api.channel.keys.player}`)

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

async function uploadAnother(): Promise<Response> {
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

async function beginEverything(): Promise<UnderWay> {
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
  const { _id: imported } = await imports().create({ source_url: `${films.url}/film.mp4` })
  await until('The import', async () => (await imports().get(imported)).status === 'downloading')
  const { _id: prepared } = await uploadClip(api, clip, 'Being prepared')
  return { prepared, imported, upload, half, release: () => release() }
}

async function assertGoesOn({ prepared, upload, half }: UnderWay): Promise<void> {
  for (const part of await partsOf(watched))
    assert.ok((await inTime('a cached segment', readBytes(part))).length > 100)
  await Promise.all([
    assertRefused('an upload', uploadAnother()),
    assertRefused('a continued upload', tus.append(upload, half, film.subarray(half))),
    assertRefused('a look at an upload', tus.send('HEAD', upload)),
    assertRefused('a download', fetch(download)),
    inTime('a list', videos().list({ active: 'all' })),
    inTime('a video', videos().get(prepared)).then(({ status }) => assert.equal(status, 'processing')),
    inTime('imports', imports().list({})),
    inTime('an upload that begins', tus.begin(film.length, { filename: 'Later.mp4' })),
    ...['status', 'storage', 'overview'].map(async (page) => {
      const reply = await inTime(page, owner.call('GET', page, undefined, api.channel))
      assert.equal(reply.status, 200)
      const problem = page === 'status' ? reply.body.storage.problem : reply.body.problem
      if (page !== 'overview') assert.match(problem, isAwaySentence)
    }),
  ])
  await until('The warning', async () => (await warnings()).some((each) => isAwaySentence.test(each)))
}

/** The server is ready all the time: most of what it does needs no store. */
async function warnings(): Promise<readonly string[]> {
  const reply = await fetch(`${api.url}/readyz`)
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { warnings?: string[] }).warnings ?? []
}

async function untilReady(id: string): Promise<void> {
  const { status, status_reason } = await until(`The film ${id}`, async () => {
    const video = await videos().get(id)
    return ['ready', 'failed'].includes(video.status) && video
  })
  assert.deepEqual({ status, status_reason }, { status: 'ready', status_reason: null })
}

async function assertCaughtUp({ prepared, imported, upload, half }: UnderWay): Promise<void> {
  await untilReady(prepared)
  const { status, video_id } = await until('The import', async () => {
    const record = await imports().get(imported)
    return record.finished_at !== null && record
  })
  assert.equal(status, 'ready')
  await untilReady(video_id ?? '')
  assert.equal(await tus.offsetAt(upload), half, 'acknowledged bytes are there')
  const last = await tus.append(upload, half, film.subarray(half))
  assert.equal(last.status, 204)
  const resumed = last.headers.get('x-video-id') ?? ''
  await untilReady(resumed)
  for (const id of [prepared, video_id ?? '', resumed])
    assert.ok((await readBytes((await api.as('admin').downloads.get(id)).url)).equals(film))
  await until('The end of the warning', async () => (await warnings()).length === 0)
  const { db } = api.database
  const dead = await db`select task_identifier from graphile_worker.jobs where attempts >= max_attempts`
  assert.deepEqual([...dead], [])
  const blamed = await db`select source_id, track, error from media_windows where failures > 0 or mishaps > 0`
  assert.deepEqual([...blamed], [])
}

/** A job with a single attempt needs the store, which is away. Returns when it has failed. */
async function failSoleAttempt(): Promise<void> {
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

test('while the store refuses connections nothing is lost or blamed, and everything catches up', async () => {
  const underWay = await beginEverything()
  await store.refuse(true)
  underWay.release()
  await assertGoesOn(underWay)
  await failSoleAttempt()
  const { prepared, imported } = underWay
  for (const record of [() => videos().get(prepared), () => imports().get(imported)])
    await until('The reason', async () => isAwaySentence.test((await record()).status_reason ?? ''))
  await store.refuse(false)
  await assertCaughtUp(underWay)
  const drawn = async () => (await videos().get(watched)).thumbnails.length > 0
  await until('The poster of the job with one attempt', drawn)
})

test('while the store hangs every request ends, and everything catches up', async () => {
  const underWay = await beginEverything()
  store.freeze(true)
  underWay.release()
  await assertGoesOn(underWay)
  store.freeze(false)
  await assertCaughtUp(underWay)
})
