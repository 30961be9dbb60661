/**
 * The long form of test/robustness/fuzz.test.ts: sends hostile requests to a separate server process and writes
 * bench/results/fuzz.md. Ctrl-C stops it; the same command continues.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { createSealer } from '../../packages/server/src/lib/sealing.js'
import { addChannel } from '../../test/support/api.js'
import { type FuzzState, neverSucceeded, newState, runFuzz } from '../../test/support/fuzz/engine.js'
import { makeGround, startServer } from '../../test/support/server-process.js'
import { circumstances, openLongRun } from '../long-run.js'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: process.env.TEST_SEED ?? '1' },
    fresh: { type: 'boolean', default: false },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
const patienceMs = 60_000
const file = new URL('../../bench/results/fuzz.md', import.meta.url)
const secretKey = 'a secret key for hostile requests, 32 characters and more'

const run = await openLongRun('fuzz', String(seed), values.fresh, () => newState(seed))
const { state } = run
if (run.isContinued) console.log(`Continues after ${state.next} requests.`)
const { env, remove } = await makeGround()
const settings = { ...env, SECRET_KEY: secretKey, WORKERS: '0', LOG_LEVEL: 'error' }
const server = await startServer(settings)
const connection = await findRunningPostgres(join(env.DATA_DIR, 'postgres'))
if (!connection) throw new Error('PostgreSQL does not run')
const database = openDatabase({ connection, connections: 2 })
let ended = false
void server.ended.then(() => {
  ended = true
})

let saidAt = Date.now()
function say(): void {
  if (Date.now() - saidAt < 10_000) return
  saidAt = Date.now()
  void run.save()
  const pace = Math.round(state.next / Math.max(state.seconds, 1))
  console.log(`${state.next} of ${requests} requests, ${pace} a second, ${state.findings.length} findings`)
}

try {
  const sealer = createSealer(secretKey)
  const [channel, other] = [
    await addChannel(server.url, database, 'One', sealer),
    await addChannel(server.url, database, 'Other', sealer),
  ]
  const api = { url: server.url, database, parts: { sealer }, channel, other }
  const isStopped = () => run.isStopped() || ended
  await runFuzz({ api, state, until: requests, atOnce: 4, patienceMs, records: 6, afterEach: say, isStopped })
} finally {
  const wasRunning = !ended
  await database.close()
  const outcome = await server.stop()
  const last = outcome.stderr.slice(-3000) + outcome.stdout.slice(-3000)
  if (!wasRunning)
    state.findings.push({ number: state.next, operation: '', fault: 'The server ended.', request: last })
  await run.save()
  await remove()
}

await writeFile(file, page(state))
console.log(`Wrote ${file.pathname} after ${state.next} requests with ${state.findings.length} findings.`)
if (state.next >= requests) await run.finish()
if (state.findings.length > 0) process.exitCode = 1

function page({ counts, findings, next, seconds, slowestMs, succeeded, unmade }: FuzzState): string {
  const statuses = [...new Set(Object.values(counts).flatMap((each) => Object.keys(each)))].sort()
  const row = (name: string, each: Readonly<Record<string, number>>) =>
    `| ${name} | ${statuses.map((status) => each[status] ?? 0).join(' | ')} |`
  const all = Object.fromEntries(
    statuses.map((status) => [
      status,
      Object.values(counts).reduce((sum, each) => sum + (each[status] ?? 0), 0),
    ]),
  )
  const never = neverSucceeded({ succeeded })
  return [
    '# Hostile requests',
    '',
    `${circumstances(`npm run lab -- fuzz --requests ${requests} --seed ${seed}`)}.`,
    '',
    `${next.toLocaleString('en')} requests in ${Math.round(seconds / 60)} minutes, four at once, to a server process with a PostgreSQL of its own. Half of them`,
    'would succeed but for one thing that is changed: a value, a field, an id, the kind of body. The others are wrong in one',
    'place that the OpenAPI document declares, or around their content: verbs, addresses, headers, types, bytes.',
    `The slowest answer took ${slowestMs} ms; a request without an answer after ${patienceMs / 1000} s would count as a hang ("none").`,
    '',
    `Findings (a status of 5xx, a hang, a lost connection, a broken document, an answer that tells too much): **${findings.length}**.`,
    '',
    `| Requests | ${statuses.join(' | ')} |`,
    `|---|${statuses.map(() => '--:|').join('')}`,
    ...Object.entries(counts)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, each]) => row(name, each)),
    row('**all**', all),
    '',
    `Nearly valid requests succeeded on ${Object.keys(succeeded).length} operations${never.length > 0 ? `, and never on: ${never.join(', ')}` : ''}.`,
    `${unmade} of them had no record to be about. 501 is the refusal of a format by oEmbed.`,
    '',
    ...findings
      .slice(0, 50)
      .flatMap(({ number, operation, fault, request }) => [
        `## Request ${number}: ${operation}`,
        '',
        '```text',
        fault,
        request,
        '```',
        '',
      ]),
  ].join('\n')
}
