/**
 * Tries other versions of PostgreSQL: a fresh installation, and the API on it. A version such as 16 means its newest
 * minor version on npm; a folder such as /usr/lib/postgresql/15 is used as it is. The default is 15, 16, 17 and 18.
 * Prints the results and keeps them in bench/results/postgres.md.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import {
  type Binaries,
  binariesIn,
  binariesPackage,
  programOf,
} from '../../packages/server/src/db/embedded/binaries.js'
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { forgetful } from '../../test/support/postgres.js'
import { proofs } from '../../test/support/postgres-proof.js'

const resultsFile = new URL('../../bench/results/postgres.md', import.meta.url)
const run = promisify(execFile)
const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Returns the newest package of a major version. Package versions look like 16.14.0-beta.17. */
async function newestOf(major: string): Promise<string> {
  const { stdout } = await run('npm', ['view', binariesPackage, 'versions', '--json'])
  const versions = (JSON.parse(stdout) as string[]).filter((version) => version.startsWith(`${major}.`))
  const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  if (!newest) throw new Error(`npm has no ${binariesPackage} of version ${major}.`)
  return newest
}

/** Installs the programs of the version into the folder, or uses those in the named folder. */
async function binariesOf(wanted: string, folder: string): Promise<Binaries> {
  if (wanted.includes('/')) {
    const { stdout } = await run(programOf({ folder: wanted, version: '' }, 'postgres'), ['--version'])
    return { folder: wanted, version: /\d+(\.\d+)*/.exec(stdout)?.[0] ?? '' }
  }
  const name = `${binariesPackage}@${await newestOf(wanted)}`
  await run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', name])
  return binariesIn(join(folder, 'node_modules', binariesPackage))
}

interface Trial {
  /** As PostgreSQL reports it. */
  readonly version: string
  readonly result: string
}

async function tryVersion(wanted: string): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-try-postgres-'))
  try {
    const binaries = await binariesOf(wanted, folder)
    const server = await startEmbeddedPostgres({
      folder: join(folder, 'postgres'),
      log: () => {},
      settings: forgetful,
      binaries,
    })
    try {
      const sql = postgres({ ...server.connection, max: 1 })
      const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
      await sql.end()
      return { version: row?.version ?? binaries.version, result: await proveAll(server.connection) }
    } finally {
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function proveAll(connection: Parameters<(typeof proofs)[string]>[0]): Promise<string> {
  for (const [name, prove] of Object.entries(proofs)) {
    const begun = performance.now()
    try {
      await prove(connection)
    } catch (error) {
      process.exitCode = 1
      return `failed: ${name}: ${(error as Error).message.split('\n')[0]}`
    }
    print(`  ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  }
  return 'installs, works'
}

const head = `What \`npm run lab -- try-postgres\` found: a fresh installation, and the API on it (create, list, count, filter, search, versions, sign in).

| PostgreSQL | Result | Date | Commit |
| --- | --- | --- | --- |
`

/** Keeps the results of other versions. */
async function keep(version: string, row: string): Promise<void> {
  const text = await readFile(resultsFile, 'utf8').catch(() => '')
  const rows = text.split('\n').filter((line) => /^\| \d/.test(line) && !line.startsWith(`| ${version} |`))
  const sorted = [...rows, row].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  await writeFile(resultsFile, `${head}${sorted.join('\n')}\n`)
}

const commit = (await run('git', ['rev-parse', '--short', 'HEAD'])).stdout.trim()
const date = new Date().toISOString().slice(0, 10)
const named = process.argv.slice(2)
for (const wanted of named.length > 0 ? named : ['15', '16', '17', '18']) {
  print(`PostgreSQL ${wanted}`)
  const { version, result } = await tryVersion(wanted)
  const row = `| ${version} | ${result} | ${date} | ${commit} |`
  await keep(version, row)
  print(row)
}
