/**
 * Compares this version with an earlier one: a checkout of it in which `npm ci` and `npx tsc -b` were run. Both servers run at once,
 * each with data of its own, and take turns. Writes bench/results/earlier.md.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { cpuSecondsOf, cpuSecondsOfPostgres, type Running, startZoetrope } from '../processes.js'
import { madeOn, say } from '../report.js'
import { anew, type Load, throughput, warmUp } from './measure.js'
import { createBy, newestIds, updateBy } from './writes.js'

const { values } = parseArgs({
  options: {
    checkout: { type: 'string' },
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '4' },
    turns: { type: 'string', default: '5' },
  },
})
if (!values.checkout) throw new Error('Name the folder of an earlier version, built: --checkout folder')
const rows = Number(values.rows)
const seconds = Number(values.seconds)
const turns = Number(values.turns)

interface Version {
  readonly commit: string
  readonly folder: string
  readonly server: Running
  readonly loads: Readonly<Record<string, Omit<Load, 'seconds'>>>
}

const random = (below: number) => Math.floor(Math.random() * below)
const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

/** Fills a channel as the version itself does in its bench: its tables may differ from those of others. */
async function seed(checkout: string, folder: string, siteId: string): Promise<void> {
  const load = (path: string) => import(pathToFileURL(join(checkout, path)).href)
  const { openDatabase } = await load('packages/server/src/db/database.ts')
  const { findRunningPostgres } = await load('packages/server/src/db/embedded/embedded-postgres.ts')
  // Versions before the lab existed have it in the folder of the bench.
  const seeds = ['lab/bench/seed.ts', 'bench/seed.ts'].find((path) => existsSync(join(checkout, path)))
  const { seedVideos } = await load(seeds ?? '')
  const connection = await findRunningPostgres(join(folder, 'postgres'))
  const database = openDatabase({ connection, connections: 1 })
  await seedVideos(database, siteId, rows, () => {})
  await database.close()
}

async function open(checkout: string, folder: string): Promise<Version> {
  await mkdir(folder, { recursive: true })
  const start = () => startZoetrope(folder, {}, { cwd: checkout })
  const first = await start()
  const { keys, channel } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'))
  say(`making ${rows.toLocaleString('en')} videos in ${folder}…`)
  // The server notices directly inserted rows only after a restart.
  await seed(checkout, folder, channel._id).finally(() => first.stop())
  const server = await start()
  const commit = execFileSync('git', ['-C', checkout, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' })
  return { commit: commit.trim(), folder, server, loads: await loadsOf(server.url, keys.admin) }
}

async function loadsOf(url: string, key: string): Promise<Version['loads']> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const ids = await newestIds(url, headers)
  const one = () => `/videos/${ids[random(ids.length)]}`
  const ask = (next: () => { path: string }) => ({ url, headers, next })
  return {
    'a list from memory': { url: `${url}/videos?api_key=${key}` },
    'another page each time': ask(() => ({
      path: `/videos?page=${random((rows * 0.98) / 10)}&${anew()}`,
    })),
    'another filter each time': ask(() => ({
      path: `/videos?series_id=series-${random(5000)}&${anew()}`,
    })),
    'one record': ask(() => ({ path: one() })),
    'a creation': createBy(url, headers),
    'an update': updateBy(url, headers, ids),
  }
}

const used = ({ server, folder }: Version) => [
  cpuSecondsOf(server.pid),
  cpuSecondsOfPostgres(join(folder, 'postgres')),
]

/** Waits until neither version does anything by itself, such as learning the words of new videos. */
async function settled(versions: readonly Version[]): Promise<void> {
  const sum = () => versions.flatMap(used).reduce((a, b) => a + b, 0)
  for (let tries = 0; tries < 60; tries += 1) {
    const before = sum()
    await delay(2000)
    if (sum() - before < 0.3) return
  }
}

async function turn(version: Version, load: Omit<Load, 'seconds'>): Promise<readonly number[]> {
  const before = used(version)
  const rate = await throughput({ ...load, seconds })
  const each = 1e6 / (rate * seconds)
  return [rate, ...used(version).map((now, index) => (now - (before[index] ?? 0)) * each)]
}

async function compare(versions: readonly Version[], name: string): Promise<string[]> {
  const loadOf = ({ loads }: Version) => loads[name] ?? { url: '' }
  await settled(versions)
  for (const version of versions) await warmUp(loadOf(version))
  const found = versions.map((): (readonly number[])[] => [])
  for (let round = 0; round < turns; round += 1)
    for (const [index, version] of versions.entries())
      found[index]?.push(await turn(version, loadOf(version)))
  const of = (index: number, what: number) => median((found[index] ?? []).map((each) => each[what] ?? 0))
  const lines = versions.map(({ commit }, index) => {
    const [rate, server, postgres] = [0, 1, 2].map((what) => Math.round(of(index, what)).toLocaleString('en'))
    const ratio = ((of(index, 1) + of(index, 2)) / (of(0, 1) + of(0, 2))).toFixed(2)
    return `| ${name} | ${commit} | ${rate} | ${server} | ${postgres} | ${ratio} |`
  })
  for (const line of lines) say(line)
  return lines
}

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-earlier-'))
const versions: Version[] = []
try {
  for (const [index, checkout] of [resolve(values.checkout), resolve('.')].entries())
    versions.push(await open(checkout, join(folder, String(index))))
  const lines: string[] = []
  for (const name of Object.keys(versions[0]?.loads ?? {})) lines.push(...(await compare(versions, name)))
  const text = `# Beside an earlier version

${madeOn()}: \`npm run lab -- bench-earlier --checkout ../earlier --rows ${rows} --seconds ${seconds} --turns ${turns}\`. ${rows.toLocaleString('en')} videos in a channel, 16
connections, both versions in turns on the same machine; medians. Processor time of one request in microseconds.

| Request | Version | Requests per second | Server | PostgreSQL | Processor time to the earlier |
| --- | --- | --: | --: | --: | --: |
${lines.join('\n')}
`
  await writeFile('bench/results/earlier.md', text)
  say('written to bench/results/')
} finally {
  for (const { server } of versions) await server.stop()
  await rm(folder, { recursive: true, force: true })
}
