/**
 * npm run bench:nodes [-- --seconds 5]
 * Measures the processor time of a list with one, two and four servers on one database, in turns, and then that of what a
 * viewer requests. Requests per second would also depend on other programs on the machine. Writes bench/results/nodes.md.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../packages/server/src/db/database.js'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded-postgres.js'
import { circumstances } from '../scripts/long-run.js'
import { openDoor } from '../test/support/tcp-door.js'
import { throughput } from './measure.js'
import { cpuSecondsOf, cpuSecondsOfPostgres, type Running, startZoetrope } from './processes.js'
import { seedVideos } from './seed.js'
import { measureWatching } from './watching-costs.js'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
const seconds = Number(values.seconds)
const videos = 20_000
const rounds = 5
const counts = [1, 2, 4] as const

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const cluster = join(folder, 'postgres')
const { connection, stop } = await startEmbeddedPostgres({ folder: cluster, log: () => {} })
const door = await openDoor(connection)
const servers: Running[] = []
try {
  for (let number = 0; number < Math.max(...counts); number += 1) {
    const own = join(folder, `server-${number}`)
    await mkdir(own)
    const shared = { DATABASE_URL: door.url, SECRET_KEY: 'k'.repeat(40), TRUSTED_PROXIES: 'loopback' }
    const WORKERS = number === 0 ? '1' : '0'
    servers.push(await startZoetrope(own, { ...shared, WORKERS, DATABASE_CONNECTIONS: '4' }))
  }
  const { channel, keys } = JSON.parse(
    await readFile(join(folder, 'server-0', 'credentials.json'), 'utf8'),
  ) as { channel: { _id: string }; keys: { admin: string } }
  const database = openDatabase({ connection, connections: 1 })
  await seedVideos(database, channel._id, videos, () => {})

  let made = 0
  // An unknown parameter makes each address unique, so that no response is cached.
  const anotherPage = () => {
    made += 1
    return { path: `/videos?api_key=${keys.admin}&page=${made % 900}&new=${made}` }
  }
  const warm = () => ({ path: `/videos?api_key=${keys.admin}` })

  /** The processor time of one list, in microseconds, while somebody writes now and then. */
  async function measure(count: number, next: typeof warm) {
    const used = servers.slice(0, count)
    const spent = () => used.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0)
    const [before, beforeThere] = [spent(), cpuSecondsOfPostgres(cluster)]
    const writing = setInterval(() => {
      void fetch(`${used[0]?.url}/videos?api_key=${keys.admin}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ video: { title: 'Another', active: false } }),
      }).then((reply) => reply.arrayBuffer())
    }, 500)
    // The same load in total, however many servers share it.
    const rates = await Promise.all(
      used.map(({ url }) => throughput({ url: url + next().path, seconds, connections: 8 / count, next })),
    )
    clearInterval(writing)
    const lists = rates.reduce((sum, rate) => sum + rate, 0) * seconds
    const micros = (cpu: number) => (cpu / lists) * 1e6
    return { server: micros(spent() - before), database: micros(cpuSecondsOfPostgres(cluster) - beforeThere) }
  }

  const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0
  const lines: string[] = []
  for (const [name, next] of [
    ['the same list (from memory)', warm],
    ['another page each time (from the database)', anotherPage],
  ] as const) {
    const results = new Map<number, Awaited<ReturnType<typeof measure>>[]>(counts.map((count) => [count, []]))
    for (let round = 0; round <= rounds; round += 1)
      for (const count of counts) {
        const result = await measure(count, next)
        // The first round warms up.
        if (round > 0) results.get(count)?.push(result)
      }
    const totalOf = (count: number) =>
      median((results.get(count) ?? []).map(({ server, database }) => server + database))
    for (const count of counts) {
      const taken = results.get(count) ?? []
      const part = (which: 'server' | 'database') => Math.round(median(taken.map((each) => each[which])))
      const growth = `${Math.round((totalOf(count) / totalOf(1) - 1) * 100)} %`
      lines.push(
        `| ${name} | ${count} | ${part('server')} | ${part('database')} | ${count === 1 ? '' : growth} |`,
      )
      console.log(lines.at(-1))
    }
  }
  await database.close()
  const [first] = servers
  const watching = first ? await measureWatching(first, keys.admin, cluster, seconds) : []
  const page = [
    '# Several servers on one database',
    '',
    `${circumstances(`npm run bench:nodes -- --seconds ${seconds}`)}. ${videos.toLocaleString('en')} videos, lists of 10. Eight`,
    'connections are shared by the servers under load, so that the load is the same. A video is created twice a second. The median of',
    `${rounds} turns of processor time for one list, in microseconds. Target: the sum grows by less than 10 %.`,
    '',
    '| List | Servers | Server | PostgreSQL | Growth of the sum |',
    '| --- | --: | --: | --: | --: |',
    ...lines,
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
  await writeFile(new URL('results/nodes.md', import.meta.url), page.join('\n'))
} finally {
  for (const server of servers) await server.stop()
  await door.close()
  await stop()
  await rm(folder, { recursive: true, force: true })
}
