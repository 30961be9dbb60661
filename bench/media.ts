/**
 * npm run bench:media [-- --long]
 * From the last byte of an upload until it can be played, how long cold and warm pieces take, and the whole table of formats
 * against ffmpeg by hand. Writes bench/results/media.md. With --long a film of ten minutes too.
 */
import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { oneCommand, sevenCommands } from './media-commands.js'
import { childrenOf, memoryOf, type Running, startZoetrope } from './processes.js'
import { type Line, markdown } from './report.js'

const { values } = parseArgs({ options: { long: { type: 'boolean', default: false } } })
const lines: Line[] = []
const add = (line: Line) => {
  lines.push(line)
  console.log(`${line.group}: ${line.name}: ${line.value.toFixed(2)} ${line.unit}`)
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']
const films = [
  { name: '10 s, H.264 1080p', seconds: 10, codecs: h264, file: 'ten.mp4', target: '≤ 1' },
  { name: '60 s, H.264 1080p', seconds: 60, codecs: h264, file: 'minute.mp4', target: '≤ 1' },
  { name: '30 s, VP9 1080p (encoded)', seconds: 30, codecs: vp9, file: 'vp9.webm', target: '≤ 5' },
  ...(values.long
    ? [{ name: '10 min, H.264 1080p', seconds: 600, codecs: h264, file: 'long.mp4', target: '≤ 3' }]
    : []),
]

const makeFilm = (path: string, seconds: number, codecs: readonly string[]) =>
  promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=30:d=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=440:d=${seconds}`, ...codecs, path],
  ])

interface Keys {
  readonly admin: string
  readonly player: string
}

async function upload({ url }: Running, { admin }: Keys, path: string, title: string): Promise<string> {
  const form = new FormData()
  form.set('video[title]', title)
  form.set('source', await openAsBlob(path), 'film')
  const reply = await fetch(`${url}/uploads?api_key=${admin}`, { method: 'POST', body: form })
  const { response } = (await reply.json()) as { response: { _id: string } }
  return response._id
}

async function untilReady({ url }: Running, { admin }: Keys, id: string): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/videos/${id}?api_key=${admin}`)
    const { status, status_reason } = ((await reply.json()) as { response: Record<string, string> }).response
    if (status === 'ready') return
    if (status === 'failed') throw new Error(status_reason)
    await delay(10)
  }
}

async function timed(url: string): Promise<{ ms: number; text: string }> {
  const begun = performance.now()
  const reply = await fetch(url)
  const text = Buffer.from(await reply.arrayBuffer()).toString('latin1')
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  return { ms: performance.now() - begun, text }
}

/** How much lies in a folder, in megabytes. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

/** The most memory that the server and its worker have at any moment, looked at now and then. */
function watchMemory(server: Running): () => { server: number; worker: number } {
  const most = { server: 0, worker: 0 }
  const look = () => {
    most.server = Math.max(most.server, memoryOf(server.pid))
    for (const pid of childrenOf(server.pid, 'zoetrope.js'))
      most.worker = Math.max(most.worker, memoryOf(pid))
  }
  const timer = setInterval(look, 250)
  return () => {
    clearInterval(timer)
    look()
    return most
  }
}

interface Film {
  readonly name: string
  readonly seconds: number
  readonly codecs: readonly string[]
  readonly file: string
  readonly target: string
}

/** On a server of its own: no film is slowed down by the background work of the one before. */
async function benchFilm({ name, seconds, codecs, file, target }: Film): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
  const server = await startZoetrope(folder)
  try {
    const { keys } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { keys: Keys }
    const path = join(folder, file)
    await makeFilm(path, seconds, codecs)
    await untilWorking(server)
    const id = await upload(server, keys, path, name)
    const begun = performance.now()
    await untilReady(server, keys, id)
    const taken = (performance.now() - begun) / 1000
    const source = (await stat(path)).size / 1e6
    const kept = (await sizeOf(join(folder, 'media'))) - source
    add({ group: 'Seconds from the last byte until it can be played', name, value: taken, unit: 's', target })
    const disk = 'Disk used beside the film when it can first be played'
    add({ group: disk, name, value: kept, unit: 'MB', ratio: kept / source })
    await benchPieces(server, keys, id, `Pieces of ${name}`)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Until a worker has come up: what it costs to start one is no part of an upload. */
async function untilWorking({ pid }: Running): Promise<void> {
  for (let tries = 0; tries < 200 && childrenOf(pid, 'zoetrope.js').length === 0; tries += 1) await delay(50)
  await delay(2000)
}

async function benchPieces(server: Running, keys: Keys, id: string, group: string): Promise<void> {
  const manifest = `${server.url}/manifest/${id}.m3u8?api_key=${keys.player}`
  const rungs = (await timed(manifest)).text.split('\n').filter((line) => line.startsWith('http'))
  for (const rung of rungs) {
    const [, track] = /\/(hls_\w+)\//.exec(rung) ?? []
    const list = (await timed(rung)).text.split('\n').filter((line) => line.endsWith('.m4s'))
    const address = (share: number) => rung.replace('index.m3u8', list[Math.floor(list.length * share)] ?? '')
    add({ group, name: `${track}, the first picture`, value: (await timed(address(0))).ms, unit: 'ms' })
    add({ group, name: `${track}, 90 % in, cold`, value: (await timed(address(0.9))).ms, unit: 'ms' })
    if (rung !== rungs[0]) continue
    add({ group, name: 'the same again', value: await median(address(0.9)), unit: 'ms', target: '≤ 10' })
  }
  add({ group, name: 'the master playlist', value: await median(manifest), unit: 'ms', target: '≤ 5' })
}

async function median(url: string): Promise<number> {
  const taken: number[] = []
  for (let times = 0; times < 11; times += 1) taken.push((await timed(url)).ms)
  return taken.sort((a, b) => a - b)[5] ?? Number.NaN
}

/** Every format of the table, until nothing is left to do, against ffmpeg by hand; pictures and previews come along with ours. */
async function benchTable(seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
  const server = await startZoetrope(folder)
  const group = `All seven formats of ${seconds} s, H.264 1080p`
  try {
    const { keys } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { keys: Keys }
    const path = join(folder, 'film.mp4')
    await makeFilm(path, seconds, h264)
    await untilWorking(server)
    const memory = watchMemory(server)
    const id = await upload(server, keys, path, 'The whole table')
    const begun = performance.now()
    await untilComplete(server, keys, id)
    const ours = (performance.now() - begun) / 1000
    const most = memory()
    await server.stop()
    const one = await seconded(() => oneCommand(path, join(folder, 'one')))
    const seven = await seconded(() => sevenCommands(path, join(folder, 'seven')))
    add({ group, name: 'Zoetrope, with poster, storyboard and preview', value: ours, unit: 's' })
    add({
      group,
      name: 'one command tuned by hand',
      value: one,
      unit: 's',
      ratio: ours / one,
      target: '≤ 1.15',
    })
    add({ group, name: 'seven commands', value: seven, unit: 's', ratio: ours / seven })
    add({ group: 'Memory at most meanwhile', name: 'the server', value: most.server, unit: 'MB' })
    add({ group: 'Memory at most meanwhile', name: 'the worker', value: most.worker, unit: 'MB' })
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function seconded(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

async function untilComplete({ url }: Running, { admin }: Keys, id: string): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/videos/${id}?api_key=${admin}`)
    const { response } = (await reply.json()) as { response: Record<string, string | null> }
    if (response.status === 'failed') throw new Error(response.status_reason ?? '')
    if (response.complete_at) return
    await delay(100)
  }
}

for (const film of films) await benchFilm(film)
await benchTable(values.long ? 120 : 60)
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; load of the machine at the end: ${loadavg()[1]?.toFixed(1)}`
const facts = [
  `${new Date().toISOString().slice(0, 10)}; ${machine}`,
  'a test pattern, not a film; the background work on the same film goes on meanwhile',
  `\`npm run bench:media${values.long ? ' -- --long' : ''}\``,
]
await writeFile(resolve('bench/results/media.md'), markdown(lines, facts))
