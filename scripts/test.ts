/**
 * Everything that must hold, in one command: lint, types, all tests. It installs what the tests need and the machine
 * lacks. `npm test -- test/api/videos.test.ts` runs only the files named. Afterwards everything that the servers under
 * test logged is searched for every secret that the tests used.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findFfmpeg } from '../packages/server/src/media/find-ffmpeg.js'
import { untrueClaims } from '../test/support/calls.js'
import { appendLog } from '../test/support/log-files.js'
import { startTestPostgres } from '../test/support/postgres.js'
import { runSources } from '../test/support/run-sources.js'
import { searchLogs } from '../test/support/secret-search.js'

const chromium = '/usr/bin/chromium'

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  console.log(`\n$ ${[command, ...args].join(' ').slice(0, 200)}`)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${signal ?? code}`)),
    )
  })
}

/** What the tests need of the system, by Debian's name of the package. */
const programs = { chromium }

async function installPrograms(): Promise<void> {
  const missing = Object.entries(programs).filter(([, path]) => !existsSync(path))
  if (missing.length === 0) return
  const names = missing.map(([name]) => name)
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0)
    throw new Error(`The tests need ${names.join(' and ')}. Install Debian's packages of these names.`)
  await run('apt-get', ['update', '-qq'])
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
    DEBIAN_FRONTEND: 'noninteractive',
  })
}

/** A folder with the ffmpeg and ffprobe that the server under test uses, so that the tests use the same. */
async function ffmpegFolder(folder: string): Promise<string> {
  const search = await findFfmpeg({ searchPath: process.env.PATH ?? '' })
  if (!search.programs) throw new Error(`The tests need ffmpeg. ${search.reason}`)
  const { ffmpeg, ffprobe, version } = search.programs
  console.log(`\nffmpeg ${version} (${ffmpeg})`)
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await symlink(ffmpeg, join(bin, 'ffmpeg'))
  await symlink(ffprobe, join(bin, 'ffprobe'))
  return bin
}

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries
    .filter((name) => name.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => join(folder, name))
    .sort()
}

/** Files that start no other program share a process; so many of them that no process is the last one for long. */
const groupSize = 8
const mayShare = (file: string) =>
  /^(packages|test\/(api|pipeline|sessions))\//.test(file) &&
  !/\/(access[\w-]*|races-processes|file-storage)\.test\.ts$|\/embedded\//.test(file)

/** The same files, with those that may share a process behind files that load several of them. */
async function grouped(files: readonly string[], folder: string): Promise<string[]> {
  const sharing = files.filter(mayShare)
  const support = new URL('../test/support/group.ts', import.meta.url).href
  const count = Math.ceil(sharing.length / groupSize)
  const groups = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const group = join(folder, `group-${number + 1}.test.mjs`)
      // Neighbours take alike long, so they are dealt out like cards.
      const members = sharing.filter((_file, index) => index % count === number)
      await writeFile(
        group,
        `import { runGroup } from '${support}'\nrunGroup(${JSON.stringify(members, null, 2)})\n`,
      )
      return group
    }),
  )
  return [...files.filter((file) => !mayShare(file)), ...groups]
}

type TestPostgres = Awaited<ReturnType<typeof startTestPostgres>>

interface Failure {
  readonly file: string
  readonly name: string
  readonly reason: string
}

/** Runs the files and answers what failed. A run that ended badly without saying what failed has failed itself. */
async function runTests(
  files: readonly string[],
  postgres: TestPostgres,
  concurrency: number,
): Promise<Failure[]> {
  const list = join(postgres.folder, `failures-${Date.now()}.jsonl`)
  const reporters = [
    '--test-reporter=tap',
    '--test-reporter-destination=stdout',
    `--test-reporter=${new URL('test-failures.mjs', import.meta.url).href}`,
    `--test-reporter-destination=${list}`,
  ]
  const ended = await run(
    'node',
    [...runSources, '--test', `--test-concurrency=${concurrency}`, ...reporters, ...files],
    { TEST_POSTGRES: JSON.stringify(postgres.connection) },
  ).catch((error: Error) => error.message)
  const lines = (await readFile(list, 'utf8')).split('\n').filter(Boolean)
  const failures = lines.map((line) => JSON.parse(line) as Failure)
  if (ended && failures.length === 0) failures.push({ file: '', name: 'the run itself', reason: ended })
  return failures
}

/** Files that run at the same time. A third fills two cores while others wait for a browser, a film or a clock. */
const lanes = 3

/** More failed files than this are no accident of a busy machine. */
const mostRepeated = 3

/**
 * Says what failed, at the end where it is found. A few failed files are run once more, alone: what passes then
 * depends on what else the machine does, which is said aloud: the test wants mending, or what it tests.
 */
async function judgeFailures(failures: readonly Failure[], postgres: TestPostgres): Promise<void> {
  if (failures.length === 0) return
  const again = [...new Set(failures.map(({ file }) => file))]
  const repeatable =
    named.length === 0 && again.length <= mostRepeated && again.every((file) => existsSync(file))
  const still = repeatable ? await runTests(again, postgres, 1) : failures
  for (const { file, name, reason } of failures)
    console.error(
      `\nFailed${still.length === 0 ? ' once, and passed alone' : ''}: ${name}\n  ${file}\n${reason}`,
    )
  if (still.length > 0) process.exitCode = 1
}

const mostShown = 20

/** Fails the run if a secret is in a log; then the logs stay, to be looked at. */
async function judgeLogs(folder: string): Promise<void> {
  const begun = performance.now()
  const { secrets, lines, findings } = searchLogs(folder)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`\nSearched ${lines} lines of log for ${secrets} secrets in ${seconds} s.`)
  if (findings.length === 0) return rm(folder, { recursive: true, force: true })
  console.error(`${findings.length} lines have a secret in them, masked here with asterisks:`)
  for (const { file, line, text } of findings.slice(0, mostShown))
    console.error(`  ${join(folder, file)}:${line}: ${text}`)
  process.exitCode = 1
}

/** Fails the run if a test does not call what the documentation says it calls. */
function judgeCalls(folder: string, files: readonly string[]): void {
  const untrue = untrueClaims(folder, files)
  for (const sentence of untrue) console.error(sentence)
  if (untrue.length > 0) process.exitCode = 1
}

const named = process.argv.slice(2)
const begun = Date.now()
if (named.length === 0) {
  await run('npx', ['biome', 'check', '.'])
  await run('npx', ['knip'])
  await run('npx', ['tsc', '-p', 'test'])
}
// The tests run the program, the SDK, the player and the dashboard as they are published.
await run('npx', ['tsc', '-b'])
await run('npm', ['run', 'build:player', '--silent'])
await run('npm', ['run', 'build:dashboard', '--silent'])
await installPrograms()
const files = named.length > 0 ? named : [...(await testFiles('packages')), ...(await testFiles('test'))]
const logs = await mkdtemp(join(tmpdir(), 'zoetrope-logs-'))
process.env.TEST_LOGS = logs
const postgres = await startTestPostgres((line) => appendLog('postgresql', `${line}\n`))
try {
  process.env.PATH = [await ffmpegFolder(postgres.folder), process.env.PATH].join(delimiter)
  // Named files run alone, each as it is.
  const runs = named.length > 0 ? files : await grouped(files, postgres.folder)
  await judgeFailures(await runTests(runs, postgres, lanes), postgres)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
if (!process.exitCode) judgeCalls(logs, files)
await judgeLogs(logs)
console.log(
  `\n${process.exitCode ? 'Failed' : 'All good'} after ${Math.round((Date.now() - begun) / 1000)} s.`,
)
