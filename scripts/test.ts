/**
 * Runs every check in one command: lint, types, all tests. Installs missing programs that the tests need. Afterwards
 * searches everything that the servers under test logged for every secret that the tests used.
 */
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { brokenPromises } from '../test/support/answer-checks.js'
import { untrueClaims } from '../test/support/calls.js'
import { appendLog } from '../test/support/log-files.js'
import { startTestPostgres } from '../test/support/postgres.js'
import { searchLogs } from '../test/support/secret-search.js'
import { type FileResult, runInLanes } from './test/lanes.js'
import { ffmpegFolder, installPrograms } from './test/programs.js'
import { run } from './test/run.js'
import { judge } from './test/unstable.js'

const usage = `npm test                      lint, types and every test
npm test -- <file> ...        only these test files
npm run test:fast             lint, types, unit and API tests: no browser, no films, no killed processes

  --repeat <n>   runs the files n times (1)
  --lanes <n>    files that run at the same time (3)
  TEST_SEED=<n>  repeats what an earlier run did at random`

const { values: given, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    fast: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    // A third lane keeps two cores busy while others wait for a browser, a film or a timer.
    lanes: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})

const options = { ...given, repeat: wholeNumber('repeat'), lanes: wholeNumber('lanes') }

function wholeNumber(name: 'repeat' | 'lanes'): number {
  const value = Number(given[name])
  if (Number.isInteger(value) && value >= 1) return value
  throw new Error(`--${name} takes a whole number above 0, not ${given[name]}.`)
}

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries
    .filter((name) => name.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => join(folder, name))
    .sort()
}

/** The folders with the slowest files come first, so that the last files to run are short. */
const longest = [
  'test/browser',
  'test/robustness',
  'test/pipeline',
  'test/sessions',
  'packages/server/src/media',
]
const rankOf = (file: string) => {
  const rank = longest.findIndex((folder) => file.startsWith(folder))
  return rank < 0 ? longest.length : rank
}

/** Files that `npm run test:fast` skips. */
const isSlow = (file: string) =>
  /^test\/(browser|pipeline|robustness|sessions)\/|\/(media|media-segments|embedded)\//.test(file)

/** Files that change process-wide state, or count what other files would add to. */
const isAlone = (file: string) =>
  /\/(access[\w-]*|passwords|races-processes|file-storage|fuzz|secrets)\.test\.ts$|\/embedded\//.test(file)

async function filesToRun(): Promise<string[]> {
  if (named.length > 0) {
    const missing = named.filter((file) => !existsSync(file))
    if (missing.length > 0) throw new Error(`There is no ${missing.join(', no ')}.`)
    return repeated(named.map((file) => relative('.', file)))
  }
  const all = [...(await testFiles('packages')), ...(await testFiles('test'))]
  const wanted = options.fast ? all.filter((file) => !isSlow(file)) : all
  return repeated(wanted.sort((a, b) => rankOf(a) - rankOf(b)))
}

const repeated = (files: readonly string[]) => Array.from({ length: options.repeat }, () => files).flat()

const secondsOf = (seconds: number) => `${seconds.toFixed(1)} s`.padStart(8)

function printResult({ file, seconds, passed, skipped, failures }: FileResult): void {
  const counts = [`${passed} passed`, skipped ? `${skipped} skipped` : '', failures.length ? 'FAILED' : '']
  console.log(`${secondsOf(seconds)}  ${file}  ${counts.filter(Boolean).join(', ')}`)
  for (const { name, reason } of failures) console.log(`          ${name}: ${reason.split('\n', 1)[0]}`)
}

const slowestShown = 10

/**
 * Prints failures and the slowest files at the end, where they are easy to find. Fails the run unless each failure is
 * forgiven.
 */
function judgeResults(results: readonly FileResult[]): void {
  const sum = (count: (result: FileResult) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  if (results.length > slowestShown) {
    console.log('\nThe slowest files:')
    const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown)
    for (const { file, seconds } of slowest) console.log(`${secondsOf(seconds)}  ${file}`)
  }
  const verdicts = judge(results)
  for (const { file, name, reason, forgiven } of verdicts) {
    console.error(`\nFailed: ${name}\n  ${file}\n${reason}`)
    if (forgiven) console.error(`  Known to be unstable until ${forgiven.until}: ${forgiven.reason}`)
    else process.exitCode = 1
  }
  console.log(
    `\n${sum(({ passed }) => passed)} passed, ${verdicts.length} failed, ${sum(({ skipped }) => skipped)} skipped`,
  )
}

const mostShown = 20

/** Fails the run if a log contains a secret. The logs are then kept for inspection. */
async function judgeLogs(folder: string): Promise<void> {
  const { secrets, lines, findings } = searchLogs(folder)
  console.log(`Searched ${lines} lines of log for ${secrets} secrets.`)
  if (findings.length === 0) return rm(folder, { recursive: true, force: true })
  console.error(`${findings.length} lines have a secret in them, masked here with asterisks:`)
  for (const { file, line, text } of findings.slice(0, mostShown))
    console.error(`  ${join(folder, file)}:${line}: ${text}`)
  process.exitCode = 1
}

/** Fails the run if a test does not make a call that the documentation claims, or a response breaks the document. */
function judgeCalls(folder: string, files: readonly string[]): void {
  const untrue = [...untrueClaims(folder, files), ...brokenPromises(folder)]
  for (const sentence of untrue) console.error(sentence)
  if (untrue.length > 0) process.exitCode = 1
}

/** Checks lint and types, in parallel with the tests. */
async function check(): Promise<void> {
  const failed = (error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  }
  await run('npx', ['biome', 'check', '.']).catch(failed)
  await run('npx', ['knip']).catch(failed)
  await run('npx', ['tsc', '-p', 'test']).catch(failed)
}

/** The tests run the program, the SDK, the player and the dashboard as published. */
const build = () => run(process.execPath, ['scripts/prepare.mjs'])

if (options.help) {
  console.log(usage)
  process.exit()
}
const begun = Date.now()
process.env.TEST_SEED ??= String(randomInt(2 ** 31))
console.log(`TEST_SEED=${process.env.TEST_SEED}`)
const files = await filesToRun()
await Promise.all([build(), installPrograms()])
const checked = named.length > 0 ? Promise.resolve() : check()
const logs = await mkdtemp(join(tmpdir(), 'zoetrope-logs-'))
process.env.TEST_LOGS = logs
const postgres = await startTestPostgres((line) => appendLog('postgresql', `${line}\n`))
const stopPostgres = async () => {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopPostgres().finally(() => process.exit(1)))
try {
  process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
  process.env.TEST_CLIPS = join(postgres.folder, 'clips')
  process.env.PATH = [await ffmpegFolder(postgres.folder), process.env.PATH].join(delimiter)
  const results = await runInLanes(files, { lanes: options.lanes, isAlone, onResult: printResult })
  await checked
  judgeResults(results)
  judgeCalls(logs, process.exitCode ? [] : files)
} finally {
  await stopPostgres()
}
await judgeLogs(logs)
console.log(`${process.exitCode ? 'Failed' : 'All good'} after ${Math.round((Date.now() - begun) / 1000)} s.`)
