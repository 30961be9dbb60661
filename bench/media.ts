/**
 * npm run bench:media [-- --long]
 * From the last byte of an upload until it can be played, and how long cold and warm pieces take. Writes
 * bench/results/media.md. With --long a film of ten minutes too.
 */
import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { memoryOf, type Running, startZoetrope } from './processes.js'
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

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const server = await startZoetrope(folder)
try {
  const { keys } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { keys: Keys }
  for (const { name, seconds, codecs, file, target } of films) {
    const path = join(folder, file)
    await makeFilm(path, seconds, codecs)
    const id = await upload(server, keys, path, name)
    const begun = performance.now()
    await untilReady(server, keys, id)
    const taken = (performance.now() - begun) / 1000
    add({ group: 'Seconds from the last byte until it can be played', name, value: taken, unit: 's', target })

    const master = await timed(`${server.url}/manifest/${id}.m3u8?api_key=${keys.player}`)
    const rungs = master.text.split('\n').filter((line) => line.startsWith('http'))
    const group = `Pieces of ${name}`
    for (const rung of rungs) {
      const [, track] = /\/(hls_\w+)\//.exec(rung) ?? []
      const list = (await timed(rung)).text.split('\n').filter((line) => line.endsWith('.m4s'))
      const far = list[Math.floor(list.length * 0.9)] ?? ''
      const address = rung.replace('index.m3u8', far)
      add({ group, name: `${track}, 90 % in, the first time`, value: (await timed(address)).ms, unit: 'ms' })
      if (rung === rungs[0])
        add({ group, name: 'the same again', value: (await timed(address)).ms, unit: 'ms', target: '≤ 10' })
    }
    const again = await timed(`${server.url}/manifest/${id}.m3u8?api_key=${keys.player}`)
    add({ group, name: 'the master playlist', value: again.ms, unit: 'ms', target: '≤ 5' })
    add({ group, name: 'the source', value: (await stat(path)).size / 1e6, unit: 'MB' })
  }
  add({ group: 'Memory', name: 'the server, after all of this', value: memoryOf(server.pid), unit: 'MB' })
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
const facts = [
  `${new Date().toISOString().slice(0, 10)}; ${machine}`,
  'a test pattern, not a film; the background work of earlier uploads goes on meanwhile',
  `\`npm run bench:media${values.long ? ' -- --long' : ''}\``,
]
await writeFile(resolve('bench/results/media.md'), markdown(lines, facts))
