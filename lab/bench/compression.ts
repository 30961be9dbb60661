/**
 * Measures the cost of lists with and without compression, in turns, and writes bench/results/compression.md. Measures
 * processor time, because the load and other programs on the machine change requests per second.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { circumstances } from '../long-run.js'
import { cpuSecondsOf, startZoetrope } from '../processes.js'
import { anew, throughput } from './measure.js'
import { seedVideos } from './seed.js'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
const seconds = Number(values.seconds)
const videos = 20_000
const rounds = 3

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const server = await startZoetrope(folder, { WORKERS: '0' })
try {
  const { channel, keys } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
    channel: { _id: string }
    keys: { admin: string }
  }
  const connection = await findRunningPostgres(join(folder, 'postgres'))
  if (!connection) throw new Error('PostgreSQL is not running')
  const database = openDatabase({ connection, connections: 1 })
  await seedVideos(database, channel._id, videos, () => {})
  await database.close()

  const address = (query: string) => `/videos?api_key=${keys.admin}${query}`
  const page = (perPage: number) => () => {
    const number = Math.floor((Math.random() * videos) / perPage / 2)
    return { path: address(`&per_page=${perPage}&page=${number}&${anew()}`) }
  }
  const cases: Readonly<Record<string, (() => { path: string }) | string>> = {
    'warm, 10 records': '',
    'warm, 100 records': '&per_page=100',
    'another page each time, 10 records': page(10),
    'another page each time, 100 records': page(100),
  }
  const codings = { plain: {}, gzip: { 'accept-encoding': 'gzip' } }
  const lines: string[] = []
  for (const [name, asked] of Object.entries(cases)) {
    const path = typeof asked === 'string' ? address(asked) : asked().path
    const load = typeof asked === 'string' ? {} : { next: asked }
    const spent = { plain: [] as number[], gzip: [] as number[] }
    for (let round = 0; round <= rounds; round += 1)
      for (const [coding, headers] of Object.entries(codings)) {
        const before = cpuSecondsOf(server.pid)
        const rate = await throughput({ url: server.url + path, seconds, headers, ...load })
        const micros = ((cpuSecondsOf(server.pid) - before) / (rate * seconds)) * 1e6
        // The first round warms up.
        if (round > 0) spent[coding as keyof typeof spent].push(micros)
      }
    const [plain, gzip] = await Promise.all(
      Object.values(codings).map((headers) => bytes(server.url + path, headers)),
    )
    const middle = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
    const [one, other] = [middle(spent.plain), middle(spent.gzip)]
    lines.push(
      `| ${name} | ${plain} | ${gzip} | ${Math.round(one)} µs | ${Math.round(other)} µs | ${(other / one).toFixed(2)} |`,
    )
    console.log(lines.at(-1))
  }
  const report = [
    '# Compression of lists',
    '',
    `${circumstances(`npm run lab -- bench-compression --seconds ${seconds}`)}. The median of ${rounds} rounds in turns, 16 connections, the load on the same machine.`,
    '',
    '| A list | bytes, plain | bytes, gzip | processor time per request, plain | gzip | ratio |',
    '|---|--:|--:|--:|--:|--:|',
    ...lines,
    '',
    'Answers that are kept in memory are compressed once. Others are compressed each time, at the quickest level.',
    '',
  ].join('\n')
  await writeFile('bench/results/compression.md', report)
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Returns the size of the response on the wire. */
async function bytes(url: string, headers: Record<string, string>): Promise<number> {
  const reply = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } })
  await reply.arrayBuffer()
  return Number(reply.headers.get('content-length'))
}
