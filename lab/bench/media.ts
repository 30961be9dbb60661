/**
 * Uploads films and measures the seconds until each can be played, the time of a segment, the encoding of all formats
 * against plain ffmpeg commands, and memory. Writes bench/results/media.md. --short omits the film of ten minutes.
 */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { putFfmpegOnPath } from '../../test/support/ffmpeg-on-path.js'
import { workersOf } from '../../test/support/processes.js'
import {
  cpuSecondsOf,
  freePort,
  peakMemoryOf,
  type Running,
  startProgram,
  startZoetrope,
} from '../processes.js'
import { madeOn, markdown, openReport } from '../report.js'
import { besideNginx } from './beside-nginx.js'
import { type Api, film, h264Film, type Keys, median, openApi, run, settle, timed } from './film-api.js'
import { type Cost, oneCommand, sevenCommands } from './reference-commands.js'

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const { lines, add } = openReport()
await putFfmpegOnPath()

const vp9Film = [
  '-c:v',
  'libvpx-vp9',
  '-deadline',
  'realtime',
  '-cpu-used',
  '8',
  '-b:v',
  '6M',
  '-c:a',
  'libopus',
]

interface Film {
  readonly name: string
  readonly path: string
  readonly target: string
}

async function makeFilms(folder: string): Promise<readonly Film[]> {
  const at = (file: string) => join(folder, file)
  await run([...film(10), ...h264Film, at('ten.mp4')])
  await run([...film(60), ...h264Film, at('minute.mp4')])
  await run([...film(20), ...vp9Film, at('vp9.webm')])
  if (!values.short) await run(['-stream_loop', '9', '-i', at('minute.mp4'), '-c', 'copy', at('long.mp4')])
  return [
    { name: '10 s, H.264 1080p', path: at('ten.mp4'), target: '≤ 1' },
    { name: '60 s, H.264 1080p', path: at('minute.mp4'), target: '≤ 1' },
    ...(values.short ? [] : [{ name: '10 min, H.264 1080p', path: at('long.mp4'), target: '≤ 3' }]),
    { name: '20 s, VP9 1080p (encoded)', path: at('vp9.webm'), target: '≤ 5' },
  ]
}

async function bytesUnder(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
  return sizes.reduce((sum, entry) => sum + (entry?.isFile() ? entry.size : 0), 0)
}

/** Measures how soon each film is playable on an idle server, and its disk usage at that point. */
async function playable(api: Api, films: readonly Film[], storage: string): Promise<void> {
  for (const { name, path, target } of films) {
    const id = await api.upload(path, name)
    const begun = performance.now()
    await api.until(id, ({ status }) => status === 'ready')
    const value = (performance.now() - begun) / 1000
    add({ group: 'Seconds from the last byte until it can be played', name, value, unit: 's', target })
    const made = await bytesUnder(join(storage, 'segments'))
    const { size } = await stat(path)
    add({
      group: 'Disk beside the source when it can be played',
      name,
      value: made / 1e6,
      unit: 'MB',
      ratio: made / size,
    })
    await api.remove(id)
    await settle(server.pid)
  }
}

/** Measures segments that were not requested before, while the same film is encoded in the background. */
async function pieces(api: Api, { name, path }: Film): Promise<void> {
  const id = await api.upload(path, name)
  await api.until(id, ({ status }) => status === 'ready')
  const rungs = (await timed(api.master(id))).text.split('\n').filter((line) => line.startsWith('http'))
  const group = `Pieces of ${name}, while the rest of it is made`
  const warm: { readonly track: string; readonly url: string }[] = []
  for (const rung of rungs) {
    const track = /\/(hls_\w+)\//.exec(rung)?.[1] ?? 'sound only'
    const list = (await timed(rung)).text.split('\n').filter((line) => line.endsWith('.m4s'))
    const at = (share: number) => new URL(list[Math.floor(list.length * share)] ?? '', rung).href
    const init = await timed(at(0).replace(/\d+\.m4s$/, 'init.mp4'))
    const first = await timed(at(0))
    add({ group, name: `${track}, the first picture`, value: init.ms + first.ms, unit: 'ms' })
    add({ group, name: `${track}, 90 % in`, value: (await timed(at(0.9))).ms, unit: 'ms' })
    warm.push({ track, url: at(0.9) })
  }
  add({ group, name: 'the master playlist', value: await median(api.master(id)), unit: 'ms', target: '≤ 5' })
  await api.until(id, ({ complete_at }) => complete_at !== null, 200)
  await settle(server.pid)
  for (const { track, url } of warm) await warmPiece(track, url)
  await api.remove(id)
  await settle(server.pid)
}

/** Compares an encoded segment with a server that has the same bytes in memory and checks nothing. */
async function warmPiece(track: string, url: string): Promise<void> {
  const { text } = await timed(url)
  const sample = join(folder, 'piece')
  await writeFile(sample, text, 'latin1')
  const port = await freePort()
  const node = ['--import', './scripts/typescript.mjs', 'lab/bench/servers/bare.ts', sample, String(port)]
  const bare = await startProgram(node, port, '/', join(folder, 'bare.log'))
  const baseline = await median(bare.url)
  await bare.stop()
  const value = await median(url)
  const name = `${track}, ${Math.round(text.length / 1000)} kB`
  add({ group: 'Pieces that are there', name, value, unit: 'ms', ratio: value / baseline, target: '≤ 10' })
  await besideNginx(folder, { name, url, sample }, add)
}

/** What it costs to make all seven formats of an uploaded film, until the last is complete. */
async function ourTable(api: Api, server: Running, { name, path }: Film): Promise<Cost> {
  const processes = async () => [server.pid, ...(await workersOf(server.pid))]
  const spent = async () => (await processes()).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
  const [id, before] = [await api.upload(path, name), await spent()]
  const begun = performance.now()
  await api.until(id, ({ complete_at }) => complete_at !== null, 100)
  const cost = { seconds: (performance.now() - begun) / 1000, cpuSeconds: (await spent()) - before }
  await api.remove(id)
  await settle(server.pid)
  return cost
}

/** The turn in the middle. */
const middle = (costs: readonly Cost[]): Cost =>
  costs.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(costs.length / 2)] ?? {
    seconds: 0,
    cpuSeconds: 0,
  }

/** Compares all seven formats, in turns, with commands that make the same. */
async function wholeTable(
  api: Api,
  server: Running,
  film: Film,
  folder: string,
  { turns, target }: { readonly turns: number; readonly target: string },
): Promise<void> {
  const group = `All formats of ${film.name}`
  const [ones, all]: [Cost[], Cost[]] = [[], []]
  for (let turn = 0; turn < turns; turn += 1) {
    ones.push(await oneCommand(film.path, join(folder, 'one'), 'superfast'))
    all.push(await ourTable(api, server, film))
  }
  const seven = await sevenCommands(film.path, join(folder, 'seven'), 'superfast')
  const [one, ours] = [middle(ones), middle(all)]
  const tell = (title: string, cost: Cost, target?: string) => {
    const aim = target ? { target } : {}
    add({ group, name: title, value: cost.seconds, unit: 's', ratio: cost.seconds / one.seconds, ...aim })
    add({
      group,
      name: `${title}, processor`,
      value: cost.cpuSeconds,
      unit: 's',
      ratio: cost.cpuSeconds / one.cpuSeconds,
    })
  }
  tell('one ffmpeg command', one)
  tell('seven ffmpeg commands', seven)
  tell('Zoetrope, with pictures and storyboard', ours, target)
}

const load = loadavg()[0] ?? 0
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const films = await makeFilms(folder)
const server = await startZoetrope(folder)
try {
  const { keys } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { keys: Keys }
  const api = openApi(server.url, keys)
  await delay(2000)
  const [, minute = films[0] as Film] = films
  await playable(api, films, join(folder, 'media', 'objects'))
  await pieces(api, minute)
  await wholeTable(api, server, films[0] as Film, folder, { turns: 3, target: '≤ 1.15' })
  await wholeTable(api, server, minute, folder, { turns: 1, target: '≤ 1' })
  const group = 'Memory at its highest'
  add({ group, name: 'the server', value: peakMemoryOf(server.pid), unit: 'MB' })
  for (const pid of await workersOf(server.pid))
    add({ group, name: 'the worker, without ffmpeg', value: peakMemoryOf(pid), unit: 'MB' })
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
const facts = [
  `${madeOn()}; ${load.toFixed(1)} processes were running before`,
  'a test pattern with grain, not a film; the largest rendition is copied from it, by the commands too',
  `\`npm run lab -- bench-media${values.short ? ' --short' : ''}\``,
]
await writeFile(resolve('bench/results/media.md'), markdown(lines, facts))
