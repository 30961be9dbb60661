/**
 * Measures the processor time of a list with one, two and four servers on one database, in turns, and then that of what a
 * viewer requests. Requests per second would also depend on other programs on the machine. Writes bench/results/nodes.md.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { openDoor } from '../../test/support/tcp-door.js'
import { circumstances } from '../long-run.js'
import {
  cpuSecondsOf,
  cpuSecondsOfPostgres,
  freePort,
  type Running,
  startProgram,
  startZoetrope,
} from '../processes.js'
import { anew, paced, throughput } from './measure.js'
import { seedVideos } from './seed.js'
import { measureWatching } from './watching-costs.js'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
const seconds = Number(values.seconds)
const videos = 20_000
const rounds = 5
const counts = [1, 2, 4] as const
const ratePerServer = 30
const heading = [
  '| List | Servers | Server | PostgreSQL | Growth of the sum |',
  '| --- | --: | --: | --: | --: |',
]

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0

async function startBare(file: string): Promise<Running> {
  const port = await freePort()
  const node = ['--import', './scripts/typescript.mjs', 'lab/bench/servers/bare.ts', file, String(port)]
  return startProgram(node, port, '/', join(folder, 'bare.log'))
}

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const cluster = join(folder, 'postgres')
const { connection, stop } = await startEmbeddedPostgres({ folder: cluster, log: () => {} })
const door = await openDoor(connection)
const servers: Running[] = []
const bare: Running[] = []
try {
  for (let number = 0; number < Math.max(...counts); number += 1) {
    const own = join(folder, `server-${number}`)
    await mkdir(own)
    const shared = {
      DATABASE_URL: door.url,
      SECRET_KEY: 'k'.repeat(40),
      TRUSTED_PROXIES: 'loopback',
      // One address for all, as behind a proxy.
      ...(servers[0] ? { API_URL: servers[0].url } : {}),
    }
    const WORKERS = number === 0 ? '1' : '0'
    servers.push(await startZoetrope(own, { ...shared, WORKERS, DATABASE_CONNECTIONS: '4' }))
  }
  const { channel, keys } = JSON.parse(
    await readFile(join(folder, 'server-0', 'credentials.json'), 'utf8'),
  ) as { channel: { _id: string }; keys: { admin: string } }
  const database = openDatabase({ connection, connections: 1 })
  await seedVideos(database, channel._id, videos, () => {})

  const anotherPage = () => ({
    path: `/videos?api_key=${keys.admin}&page=${Math.floor(Math.random() * 900)}&${anew()}`,
  })
  const warm = () => ({ path: `/videos?api_key=${keys.admin}` })

  const listFile = join(folder, 'list.json')
  await writeFile(listFile, await fetch(servers[0]?.url + warm().path).then((reply) => reply.text()))
  for (const _ of servers) bare.push(await startBare(listFile))

  const writer = () =>
    setInterval(() => {
      void fetch(`${servers[0]?.url}/videos?api_key=${keys.admin}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ video: { title: 'Another', active: false } }),
      }).then((reply) => reply.arrayBuffer())
    }, 500)

  /** Requests lists of some servers until the time is over, and returns how many. */
  type Send = (used: readonly Running[], next: typeof warm) => Promise<number>

  /** Each server has the same load, as when servers are added because more is asked. */
  const steadily: Send = async (used, next) => {
    const counts = await Promise.all(
      used.map(({ url }) => paced({ url, seconds, rate: ratePerServer, next })),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** Eight connections that are never idle, however many servers share them. */
  const asFastAsPossible: Send = async (used, next) => {
    const connections = 8 / used.length
    const rates = await Promise.all(
      used.map(({ url }) => throughput({ url: url + next().path, seconds, connections, next })),
    )
    return rates.reduce((sum, rate) => sum + rate, 0) * seconds
  }

  /** The processor time of one list, in microseconds, while somebody writes now and then. */
  async function measure(used: readonly Running[], send: Send, next: typeof warm) {
    const spent = () => used.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0)
    const [before, beforeThere] = [spent(), cpuSecondsOfPostgres(cluster)]
    const writing = writer()
    const lists = await send(used, next)
    clearInterval(writing)
    const micros = (cpu: number) => (cpu / lists) * 1e6
    return { server: micros(spent() - before), database: micros(cpuSecondsOfPostgres(cluster) - beforeThere) }
  }

  /** A table's lines for one kind of load: the medians of all rounds, in which the numbers of servers take turns. */
  async function compare(name: string, all: readonly Running[], send: Send, next: typeof warm) {
    const results = new Map<number, Awaited<ReturnType<typeof measure>>[]>(counts.map((count) => [count, []]))
    for (let round = 0; round <= rounds; round += 1)
      for (const count of counts) {
        // Every server has its turns, or the first would be the only one whose code is optimised.
        const first = (round * count) % all.length
        const used = [...all, ...all].slice(first, first + count)
        const result = await measure(used, send, next)
        // The first round warms up.
        if (round > 0) results.get(count)?.push(result)
      }
    const middle = (count: number, part: (result: { server: number; database: number }) => number) =>
      median((results.get(count) ?? []).map(part))
    const isOurs = all === servers
    const sum = (count: number) => middle(count, ({ server, database }) => server + (isOurs ? database : 0))
    return counts.map((count) => {
      const database = isOurs ? Math.round(middle(count, (result) => result.database)) : ''
      const growth = count === 1 ? '' : `${Math.round((sum(count) / sum(1) - 1) * 100)} %`
      const line = `| ${name} | ${count} | ${Math.round(middle(count, ({ server }) => server))} | ${database} | ${growth} |`
      console.log(line)
      return line
    })
  }

  const steady = [
    ...(await compare('the same list (from memory)', servers, steadily, warm)),
    ...(await compare('another page each time (from the database)', servers, steadily, anotherPage)),
    ...(await compare('bare `node:http`, the same bytes', bare, steadily, warm)),
  ]
  const full = [
    ...(await compare('the same list (from memory)', servers, asFastAsPossible, warm)),
    ...(await compare('another page each time (from the database)', servers, asFastAsPossible, anotherPage)),
    ...(await compare('bare `node:http`, the same bytes', bare, asFastAsPossible, warm)),
  ]
  await database.close()
  const [first] = servers
  const watching = first ? await measureWatching(first, keys.admin, cluster, seconds) : []
  const page = [
    '# Several servers on one database',
    '',
    `${circumstances(`npm run lab -- bench-nodes --seconds ${seconds}`)}. ${videos.toLocaleString('en')} videos, lists of 10. A video is`,
    `created twice a second. Processor time of one list in microseconds, the medians of ${rounds} turns of ${seconds} s.`,
    '',
    '## The same load for each server',
    '',
    `${ratePerServer} lists a second for each server, so two servers answer twice as many: what servers cost each other, and the`,
    'database. Target: the sum grows by less than 10 %.',
    '',
    ...heading,
    ...steady,
    '',
    '## The same load for all servers together',
    '',
    'Eight connections that are never idle, shared by the servers. Four servers then compete for the two cores and their caches, and',
    'each answers fewer lists whenever it is woken. A bare server, which shares nothing with others, shows how much that costs.',
    '',
    ...heading,
    ...full,
    '',
    '## What a viewer costs',
    '',
    'Processor time of one request to one server, in microseconds. The film is on the disk of the server, in 720p.',
    '',
    '| Request | Server | PostgreSQL |',
    '| --- | --: | --: |',
    ...watching,
    '',
  ]
  await writeFile(new URL('../../bench/results/nodes.md', import.meta.url), page.join('\n'))
} finally {
  for (const server of [...servers, ...bare]) await server.stop()
  await door.close()
  await stop()
  await rm(folder, { recursive: true, force: true })
}
