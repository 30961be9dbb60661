/**
 * Attacks a server with every kind of hostile request: whole, slow, and reset at every stage. Measures what an honest
 * client notices and how much memory the server takes. Writes bench/results/hostile.md; fails if a limit is broken.
 */
import { execFileSync, fork } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { quantile } from '../../test/support/guessing.js'
import { createHonest, type Honest } from '../../test/support/honest-client.js'
import {
  cpuSecondsOf,
  freePort,
  memoryOf,
  peakMemoryOf,
  type Running,
  startProgram,
  startZoetrope,
} from '../processes.js'
import type { Order, Tally } from './hostile-attackers.js'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    'at-once': { type: 'string', default: '50' },
  },
})
const total = Number(values.requests)
const atOnce = Number(values['at-once'])
const bounds = { slowdown: 3, megabytes: 200 }
/** Quiet, control and attack alternate, so that other load on the machine affects all of them. */
const rounds = 10
const quietMs = 4000
/** So many rounds that the honest client sends about a thousand requests meanwhile. */
const burst = { only: 'JSON of 340,000 objects', atOnce: 200, requests: 200, rounds: 20 }
const silent = 20

/** The attackers run in a process of the lowest priority, because real attackers use other machines. */
function startAttackers() {
  const path = fileURLToPath(new URL('hostile-attackers.ts', import.meta.url))
  const child = fork(path, { execArgv: process.execArgv })
  setPriority(child.pid ?? 0, 19)
  let orders = 0
  const send = (order: Order): Promise<Tally> => {
    orders += 1
    const id = orders
    child.send({ id, order })
    return new Promise((resolve, reject) => {
      const receive = (said: { id: number; tally: Tally }) => {
        if (said.id !== id) return
        child.off('message', receive)
        resolve(said.tally)
      }
      child.on('message', receive).once('exit', () => reject(new Error('The attackers ended')))
    })
  }
  return { send, stop: () => void child.kill() }
}

/**
 * Starts a server that refuses every request at once. While it is attacked, the honest client is slowed down only because
 * everybody shares the processors of one machine.
 */
async function startControl(folder: string): Promise<Running> {
  const port = await freePort()
  const path = fileURLToPath(new URL('hostile-control.ts', import.meta.url))
  const log = join(folder, 'control.log')
  return startProgram([...process.execArgv, path], port, '/ready', log, { PORT: String(port) })
}

/** The measurements of the honest client over all rounds of one kind. */
interface Phase {
  readonly name: string
  readonly latencies: number[]
  readonly failures: string[]
  seconds: number
  /** Processor seconds of the server. */
  serverSeconds: number
}

async function measure(phase: Phase, { honest, server }: Target, during: Promise<unknown>): Promise<void> {
  const begun = performance.now()
  const serverBegun = cpuSecondsOf(server.pid)
  const { latencies, failures } = await honest.until(during)
  phase.latencies.push(...latencies)
  phase.failures.push(...failures)
  phase.seconds += (performance.now() - begun) / 1000
  phase.serverSeconds += cpuSecondsOf(server.pid) - serverBegun
}

function add(sum: Tally, tally: Tally): void {
  for (const [name, endings] of Object.entries(tally)) {
    const row = { ...sum[name] }
    for (const [ending, count] of Object.entries(endings)) row[ending] = (row[ending] ?? 0) + count
    sum[name] = row
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const phaseNamed = (name: string): Phase => ({
  name,
  latencies: [],
  failures: [],
  seconds: 0,
  serverSeconds: 0,
})

interface Target {
  readonly honest: Honest
  readonly server: Running
  readonly control: Running
}

async function run(target: Target) {
  const { honest, server, control } = target
  const { url } = server
  const phases = {
    quiet: phaseNamed('without an attack'),
    control: phaseNamed('beside the same attack on another server'),
    attack: phaseNamed(`under attack, ${atOnce} at once`),
    burst: phaseNamed(`under ${burst.atOnce} bodies of 1 MB at once`),
  }
  const tallies = { attack: {} as Tally, burst: {} as Tally, silent: {} as Tally }
  const attackers = startAttackers()
  try {
    await honest.until(pause(5000))
    const held = attackers.send({
      url,
      from: 0,
      to: silent,
      atOnce: silent,
      only: burst.only,
      isSilent: true,
    })
    for (let round = 0; round < rounds; round += 1) {
      await measure(phases.quiet, target, pause(quietMs))
      const share = {
        from: Math.floor((total * round) / rounds),
        to: Math.floor((total * (round + 1)) / rounds),
        atOnce,
      }
      await measure(phases.control, target, attackers.send({ url: control.url, ...share }))
      const sent = attackers.send({ url, ...share })
      await measure(phases.attack, target, sent)
      add(tallies.attack, await sent)
      console.log(`${share.to} of ${total} hostile requests sent`)
    }
    for (let round = 0; round < burst.rounds; round += 1) {
      await measure(phases.quiet, target, pause(quietMs))
      const { only, requests } = burst
      const sent = attackers.send({ url, from: 0, to: requests, atOnce: burst.atOnce, only })
      await measure(phases.burst, target, sent)
      add(tallies.burst, await sent)
    }
    add(tallies.silent, await held)
    return { phases, tallies }
  } finally {
    attackers.stop()
  }
}

type Measured = Awaited<ReturnType<typeof run>>

function judge({ phases, tallies }: Measured, megabytes: number) {
  const p99 = ({ latencies }: Phase) => quantile(latencies, 0.99)
  const ratioOf = (phase: Phase) => p99(phase) / p99(phases.quiet)
  const ratios = [ratioOf(phases.attack), ratioOf(phases.burst)]
  const failures = Object.values(phases).flatMap((phase) => phase.failures)
  const endings = Object.values(tallies).flatMap((tally) => Object.values(tally).flatMap(Object.keys))
  const faults = endings.filter((ending) => Number(ending) >= 500 && ending !== '503')
  const broken = [
    ...(failures.length > 0 ? [`Honest requests failed: ${[...new Set(failures)].join(', ')}.`] : []),
    ...(faults.length > 0 ? [`Hostile requests got ${[...new Set(faults)].join(', ')}.`] : []),
    ...(endings.includes('no answer') ? ['Hostile requests waited for a minute without an answer.'] : []),
    ...(Math.max(...ratios) > bounds.slowdown ? ['The honest client was slowed down too much.'] : []),
    ...(megabytes > bounds.megabytes ? ['The server took too much memory.'] : []),
  ]
  return { ratios, controlRatio: ratioOf(phases.control), broken }
}

const phaseRow = ({ name, latencies, failures, seconds, serverSeconds }: Phase) => {
  const times = [0.5, 0.95, 0.99].map((share) => `${quantile(latencies, share).toFixed(1)} ms`)
  const busy = `${Math.round((serverSeconds / seconds) * 100)} %`
  return `| ${name} | ${seconds.toFixed(0)} s | ${busy} | ${latencies.length} | ${failures.length} | ${times.join(' | ')} |`
}
const tallyRow = (name: string, endings: Readonly<Record<string, number>>) =>
  `| ${name} | ${Object.values(endings).reduce((a, b) => a + b)} | ${Object.entries(endings)
    .map(([ending, count]) => `${ending} × ${count}`)
    .join(', ')} |`
const tallyRows = (tally: Tally, suffix = '') =>
  Object.entries(tally).map(([name, endings]) => tallyRow(name + suffix, endings))

function reportOf(measured: Measured, memory: { before: number; peak: number }): [string, readonly string[]] {
  const { phases, tallies } = measured
  const { ratios, controlRatio, broken } = judge(measured, memory.peak)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const load = loadavg()[1] ?? 0
  const busy =
    load > cpus().length ? ' Others used the machine at the same time: the ratios count, not the times.' : ''
  const report = [
    '# Hostile requests',
    '',
    `- ${new Date().toISOString().slice(0, 10)}, commit ${commit}, \`npm run lab -- hostile --requests ${total} --at-once ${atOnce}\``,
    `- ${cpus().length} processors (${cpus()[0]?.model}), Node ${process.version}; load over the last five minutes: ${load.toFixed(1)}.${busy}`,
    '- One server with the heap of `npm start` (256 MB). The attackers have no credential, and a process of the lowest priority.',
    `- An honest client lists, reads and changes videos, one request after the other. Its p99 under attack and under the bursts is ${ratios.map((ratio) => ratio.toFixed(1)).join(' and ')} times its p99 without; at most ${bounds.slowdown} is wanted.`,
    `- While the attackers attack another server, which refuses every request at once, its p99 is ${controlRatio.toFixed(1)} times its p99 without an attack: the client, the server, its database and the attackers share the processors.`,
    `- Memory of the server: ${memory.before} MB before, ${memory.peak} MB at most; at most ${bounds.megabytes} is wanted.`,
    broken.length === 0 ? '- Every bound held.' : `- **Broken:** ${broken.join(' ')}`,
    '',
    '| The honest client | Time | Processor of the server | Requests | Failures | median | p95 | p99 |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...Object.values(phases).map(phaseRow),
    '',
    '| Hostile request | Sent | What became of them |',
    '|---|--:|---|',
    ...tallyRows(tallies.attack),
    ...tallyRows(tallies.burst, `, ${burst.atOnce} at once`),
    ...tallyRows(tallies.silent, ', of which the second half never comes'),
    '',
    'Numbers are statuses. `reset by us`: the attacker reset the connection. `closed`: the server closed it without an answer.',
    '',
  ]
  return [report.join('\n'), broken]
}

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-hostile-'))
const server = await startZoetrope(folder)
const control = await startControl(folder)
try {
  const { keys } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'))
  const honest = await createHonest(server.url, keys.admin)
  const before = memoryOf(server.pid)
  const measured = await run({ honest, server, control })
  const [report, broken] = reportOf(measured, { before, peak: peakMemoryOf(server.pid) })
  await writeFile('bench/results/hostile.md', report)
  console.log(report)
  if (broken.length > 0) process.exitCode = 1
} finally {
  await control.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
