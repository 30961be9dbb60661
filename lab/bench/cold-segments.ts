/**
 * Many viewers request one segment each at once, none of them encoded yet, while lists are read at a steady rate: once
 * with a worker beside the server, and once with the server alone. Writes bench/results/cold-segments.md.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { askAll, isWholeSegment, type Place, publish, segmentsOf } from '../../test/support/cold-viewers.js'
import { putFfmpegOnPath } from '../../test/support/ffmpeg-on-path.js'
import { shuffled } from '../../test/support/random.js'
import { startZoetrope } from '../processes.js'
import { madeOn, markdown, openReport } from '../report.js'

const { values } = parseArgs({ options: { viewers: { type: 'string', default: '200' } } })
const viewers = Number(values.viewers)
const everyMs = 10
const idleSeconds = 10
const single = 12

const { lines, add } = openReport()
await putFfmpegOnPath()

const at = (taken: readonly number[], share: number): number => {
  const sorted = [...taken].sort((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

/**
 * Reads a list every few milliseconds, without waiting for the last response. The returned function stops it and
 * returns the latencies.
 */
function readLists({ url, key }: Place): () => Promise<number[]> {
  let isOver = false
  const answers: Promise<number>[] = []
  const reading = (async () => {
    for (let asked = 0; !isOver; asked += 1) {
      // A unique parameter, so that the response is not cached.
      answers.push(timed(`${url}/videos?api_key=${key}&asked=${asked}-${Math.random()}`))
      await delay(everyMs)
    }
  })()
  return async () => {
    isOver = true
    await reading
    return (await Promise.all(answers)).slice(20)
  }
}

async function timed(url: string): Promise<number> {
  const begun = performance.now()
  const reply = await fetch(url)
  await reply.arrayBuffer()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  return performance.now() - begun
}

const group = 'Lists read each time, one every 10 ms, p99'

async function bench(name: string, film: string, isAlone: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
  const server = await startZoetrope(folder, isAlone ? { WORKERS: '0' } : {})
  try {
    const { keys } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
      keys: { admin: string }
    }
    const place = { url: server.url, key: keys.admin }
    await delay(3000)
    const stopIdle = readLists(place)
    await delay(idleSeconds * 1000)
    const idle = await stopIdle()
    const upload = () => publish(place, film, 'Cold')
    const id = await (isAlone ? withWorker(folder, upload) : upload())
    const cold = shuffled(
      (await segmentsOf(place, id)).filter(({ track }) => track !== 'audio'),
      Math.random,
    )
    const one: number[] = []
    for (const segment of cold.splice(0, single)) one.push((await askAll([segment]))[0]?.ms ?? Number.NaN)
    const stop = readLists(place)
    const served = await askAll(cold.slice(0, viewers))
    const loaded = await stop()
    const wrong = served.filter(({ status, bytes }) => status !== 200 || !isWholeSegment(bytes))
    const ratio = at(loaded, 0.99) / at(idle, 0.99)
    const waits = served.map(({ ms }) => ms / 1000)
    add({ group, name: `${name}: idle`, value: at(idle, 0.99), unit: 'ms', ratio: 1 })
    add({
      group,
      name: `${name}: while ${served.length} wait`,
      value: at(loaded, 0.99),
      unit: 'ms',
      ratio,
      target: '≤ 3',
    })
    const serving = `${served.length} viewers, each at another segment`
    add({ group: serving, name: `${name}: not served`, value: wrong.length, unit: '', target: '0' })
    add({ group: serving, name: `${name}: median wait`, value: at(waits, 0.5), unit: 's' })
    add({ group: serving, name: `${name}: longest wait`, value: Math.max(...waits), unit: 's' })
    add({
      group: 'One viewer at a segment that is not made yet',
      name: `${name}: median of ${single}`,
      value: at(one, 0.5),
      unit: 'ms',
    })
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a worker while a film is prepared. */
async function withWorker<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const env = { ...process.env, DATA_DIR: folder }
  const worker = spawn('node', ['packages/server/bin/zoetrope.js', 'worker'], { env, stdio: 'ignore' })
  try {
    return await work()
  } finally {
    worker.kill('SIGTERM')
    await once(worker, 'exit')
  }
}

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-film-'))
const film = join(folder, 'film.mp4')
await promisify(execFile)('ffmpeg', [
  ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=854x480:r=25:d=300'],
  ...['-f', 'lavfi', '-i', 'sine=440:d=300', '-c:v', 'mpeg4', '-q:v', '6', '-g', '25', '-c:a', 'aac', film],
])
await bench('a worker beside the server', film, false)
await bench('the server alone', film, true)
await rm(folder, { recursive: true, force: true })
const facts = [
  `${madeOn()}; load of the machine at the end: ${loadavg()[1]?.toFixed(1)}`,
  'a film of five minutes, 854x480, of which every rendition is encoded; server, worker, PostgreSQL and load share the machine',
  '`npm run lab -- bench-cold`',
]
await writeFile(resolve('bench/results/cold-segments.md'), markdown(lines, facts))
