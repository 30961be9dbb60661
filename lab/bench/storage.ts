/**
 * Films in an S3 store on the same machine against films on the disk, in turns: the seconds until they can be played, with
 * the parts that ffmpeg needs and with a copy of the whole film; segments that exist, and segments that do not. Writes
 * bench/results/storage.md. --short skips the film of ten minutes.
 */
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findFfmpeg } from '../../packages/server/src/media/find-ffmpeg.js'
import { openBucket } from '../../packages/server/src/storage/s3/bucket.js'
import { readObject } from '../../packages/server/src/storage/s3/read-object.js'
import { putFfmpegOnPath } from '../../test/support/ffmpeg-on-path.js'
import { startS3 } from '../../test/support/s3.js'
import { type Running, startZoetrope } from '../processes.js'
import { madeOn, markdown, openReport } from '../report.js'
import { type Api, film, h264Film, type Keys, openApi, run, settle, timed } from './film-api.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, short: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)
const { lines, add } = openReport()
await putFfmpegOnPath()

const places = ['the disk', 'S3, in parts', 'S3, a whole copy first'] as const
type PlaceName = (typeof places)[number]

interface PlaceUnderTest {
  readonly name: PlaceName
  readonly server: Running
  readonly api: Api
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const load = loadavg()[0] ?? 0
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const s3 = await startS3()
const { accessKeyId, secretAccessKey } = s3.settings().credentials ?? { accessKeyId: '', secretAccessKey: '' }
const storageUrl = (prefix: string) =>
  `s3://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@127.0.0.1:${s3.port}/films/${prefix}?tls=false&path_style=true`

/** Programs that say that they cannot read over HTTP, for which Zoetrope copies the whole film first. */
async function makeProgramsWithoutHttp(): Promise<string> {
  const { programs } = await findFfmpeg()
  if (!programs) throw new Error('There is no ffmpeg.')
  const own = join(folder, 'without-http')
  await mkdir(own)
  for (const name of ['ffmpeg', 'ffprobe'] as const) {
    const path = join(own, name)
    const script = `#!/bin/sh\ncase "$*" in *-protocols*) exit 0 ;; esac\nexec ${programs[name]} "$@"\n`
    await writeFile(path, script)
    await chmod(path, 0o755)
  }
  return [own, dirname(process.execPath), process.env.PATH].join(delimiter)
}

async function openPlace(name: PlaceName, settings: object): Promise<PlaceUnderTest> {
  const own = join(folder, String(places.indexOf(name)))
  await mkdir(own)
  const server = await startZoetrope(own, settings)
  const { keys } = JSON.parse(await readFile(join(own, 'credentials.json'), 'utf8')) as { keys: Keys }
  return { name, server, api: openApi(server.url, keys) }
}

/** Uploads a film, waits until it can be played, and says how long that took and how much of it was fetched. */
async function publish({ api }: PlaceUnderTest, path: string): Promise<Measured & { readonly id: string }> {
  const before = s3.sentOf('/objects/sources/')
  const id = await api.upload(path, 'Film')
  const begun = performance.now()
  await api.until(id, ({ status }) => status === 'ready')
  const seconds = (performance.now() - begun) / 1000
  return { id, seconds, fetched: s3.sentOf('/objects/sources/') - before }
}

/** Deletes a film, also from the memory of the store. */
async function forget({ api, server }: PlaceUnderTest, id: string): Promise<void> {
  await api.remove(id)
  await settle(server.pid)
  for (const key of s3.store.objects.keys())
    if (!/\/(installation\.json|lease\/\w+\.json)$/.test(key)) s3.store.objects.delete(key)
}

interface FilmUnderTest {
  readonly name: string
  readonly path: string
}

async function makeFilms(): Promise<readonly FilmUnderTest[]> {
  const at = (file: string) => join(folder, file)
  await run([...film(10), ...h264Film, at('ten.mp4')])
  const repeat = (times: number, file: string) =>
    run(['-stream_loop', String(times - 1), '-i', at('ten.mp4'), '-c', 'copy', at(file)])
  await repeat(6, 'minute.mp4')
  if (!values.short) await repeat(60, 'long.mp4')
  return [
    { name: '10 s', path: at('ten.mp4') },
    { name: '1 min', path: at('minute.mp4') },
    ...(values.short ? [] : [{ name: '10 min', path: at('long.mp4') }]),
  ]
}

interface Measured {
  readonly seconds: number
  readonly fetched: number
}

async function measurePlayable(opened: readonly PlaceUnderTest[], { name, path }: FilmUnderTest) {
  const taken = new Map<PlaceName, Measured[]>(places.map((place) => [place, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const place of opened) {
      const { id, ...measured } = await publish(place, path)
      taken.get(place.name)?.push(measured)
      await forget(place, id)
    }
  const medianOf = (place: PlaceName, what: keyof Measured) =>
    median((taken.get(place) ?? []).map((each) => each[what]))
  const megabytes = (await stat(path)).size / 1e6
  for (const place of places) {
    const value = medianOf(place, 'seconds')
    add({
      group: `Seconds until a film of ${name}, ${Math.round(megabytes)} MB, can be played`,
      name: place,
      value,
      unit: 's',
      ratio: value / medianOf('the disk', 'seconds'),
      ...(place === 'S3, in parts' ? { target: '≤ 1.5' } : {}),
    })
  }
  for (const place of places.slice(1)) {
    const value = medianOf(place, 'fetched') / 1e6
    add({ group: fetchedGroup, name: `${name}, ${place}`, value, unit: 'MB', ratio: value / megabytes })
  }
}

const fetchedGroup = 'Fetched from the store until it can be played, as a share of the film'

/** The milliseconds until the first byte and until the last. */
async function timedFetch(url: string): Promise<{ first: number; all: number }> {
  const begun = performance.now()
  const reply = await fetch(url)
  if (!reply.ok || !reply.body) throw new Error(`${url} answered ${reply.status}`)
  let first = Number.NaN
  for await (const _ of reply.body) if (Number.isNaN(first)) first = performance.now() - begun
  return { first, all: performance.now() - begun }
}

const bucket = openBucket(s3.settings())

async function timedGet(key: string): Promise<{ first: number; all: number }> {
  const begun = performance.now()
  const object = await readObject(bucket, key)
  if (!object) throw new Error(`${key} is not in the store`)
  let first = Number.NaN
  for await (const _ of object.body) if (Number.isNaN(first)) first = performance.now() - begun
  return { first, all: performance.now() - begun }
}

/** The addresses of all segments of a rendition. */
async function segmentsOf({ api }: PlaceUnderTest, id: string, track: string): Promise<string[]> {
  const rungs = (await timed(api.master(id))).text.split('\n').filter((line) => line.startsWith('http'))
  const rung = rungs.find((line) => line.includes(`/${track}/`)) ?? rungs[0] ?? ''
  const list = (await timed(rung)).text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return list.map((line) => new URL(line, rung).href)
}

const warmRounds = 5

async function measureSegments(opened: readonly PlaceUnderTest[], { path, name }: FilmUnderTest) {
  const chosen = opened.filter((place) => place.name !== 'S3, a whole copy first')
  const published = new Map<PlaceName, { id: string; segments: string[] }>()
  for (const place of chosen) {
    const { id } = await publish(place, path)
    published.set(place.name, { id, segments: await segmentsOf(place, id, 'hls_1080p') })
    await place.api.until(id, ({ complete_at }) => complete_at !== null, 200)
    await settle(place.server.pid)
  }
  const track = 'hls_1080p'
  const keys = [...s3.store.objects.keys()]
    .filter((key) => key.includes(`/${track}/`) && !key.includes('init'))
    .sort()
  const [onDisk, inS3] = (['the disk', 'S3, in parts'] as const).map(
    (place) => published.get(place)?.segments ?? [],
  ) as [string[], string[]]
  const firstBytes = async (
    addresses: readonly string[],
    get: (address: string) => Promise<{ first: number }>,
  ) => {
    const taken: number[] = []
    for (const address of addresses) taken.push((await get(address)).first)
    return taken
  }
  const store = await firstBytes(keys, timedGet)
  // A server keeps what is read for the second time.
  const through = await firstBytes(inS3, timedFetch)
  await firstBytes(inS3, timedFetch)
  const disk: number[] = []
  const cached: number[] = []
  for (let round = 0; round < warmRounds; round += 1) {
    disk.push(...(await firstBytes(onDisk, timedFetch)))
    cached.push(...(await firstBytes(inS3, timedFetch)))
  }
  const group = `The first byte of a segment of ${name} that exists, ${track}`
  const ms = (name: string, value: number, target?: string) =>
    add({ group, name, value, unit: 'ms', ...(target ? { target } : {}) })
  ms('from the store, without the server', median(store))
  ms('through the server, from the store', median(through))
  ms('what the server adds', median(through) - median(store), '≤ 5')
  ms('through the server, from the disk', median(disk))
  const ratio = median(cached) / median(disk)
  add({
    group,
    name: 'through the server, from the cache',
    value: median(cached),
    unit: 'ms',
    ratio,
    target: 'as from the disk',
  })
  for (const place of chosen) await forget(place, published.get(place.name)?.id ?? '')
}

/** Results are written after each group: a run takes long, and may be interrupted. */
async function writeResults(): Promise<void> {
  const facts = [
    `${madeOn()}; ${load.toFixed(1)} processes were running before`,
    `the medians of ${rounds} rounds, in which the places take turns; from the answer to the upload on`,
    'the store is s3rver, on the same machine and in memory; a test pattern with grain, not a film',
    `\`npm run lab -- bench-storage --rounds ${rounds}${values.short ? ' --short' : ''}\``,
  ]
  await writeFile(resolve('bench/results/storage.md'), markdown(lines, facts))
}

const films = await makeFilms()
const opened: PlaceUnderTest[] = []
try {
  opened.push(await openPlace('the disk', {}))
  opened.push(await openPlace('S3, in parts', { STORAGE_URL: storageUrl('parts') }))
  const withoutHttp = { STORAGE_URL: storageUrl('whole'), PATH: await makeProgramsWithoutHttp() }
  opened.push(await openPlace('S3, a whole copy first', withoutHttp))
  await delay(2000)
  for (const each of films) {
    await measurePlayable(opened, each)
    await writeResults()
  }
  await measureSegments(opened, (films[1] ?? films[0]) as FilmUnderTest)
  await writeResults()
} finally {
  for (const { server } of opened) await server.stop()
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
}
