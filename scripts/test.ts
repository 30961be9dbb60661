/**
 * Runs the checks in one command: lint, types, tests. Installs missing programs that the tests need. Afterwards
 * searches everything that the servers under test logged for every secret that the tests used.
 */
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { appendLog } from '../test/support/log-files.js'
import { startTestPostgres } from '../test/support/postgres.js'
import { longestFirst, readDurations, recordDurations } from './test/durations.js'
import { allFiles, filesOfCheck, isAboutMedia, isAlone } from './test/files.js'
import { type FileResult, runInLanes } from './test/lanes.js'
import { programsOf } from './test/needs.js'
import { type FfmpegFolder, ffmpegFolders, installPrograms } from './test/programs.js'
import { judgeCalls, judgeLogs, judgeResults, printResult, sayWhatAllAdds } from './test/report.js'
import { run } from './test/run.js'

const usage = `npm test                      lint, types, unit and API tests, and a few real journeys
npm run test:all              lint, types and every test
npm test -- <file> ...        only these test files

  --repeat <n>   runs the files n times (1)
  --lanes <n>    files that run at the same time (3)
  --record       keeps the duration of each file in test/durations.json: the longest files run first
  TEST_SEED=<n>  repeats what an earlier run did at random`

const { values: given, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    // A third lane keeps two cores busy while others wait for a browser, a film or a timer.
    lanes: { type: 'string', default: '3' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const options = { ...given, repeat: wholeNumber('repeat'), lanes: wholeNumber('lanes') }

function wholeNumber(name: 'repeat' | 'lanes'): number {
  const value = Number(given[name])
  if (Number.isInteger(value) && value >= 1) return value
  throw new Error(`--${name} takes a whole number above 0, not ${given[name]}.`)
}

function filesToRun(all: readonly string[]): string[] {
  const missing = named.filter((file) => !existsSync(file))
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', no ')}.`)
  if (named.length > 0) return named.map((file) => relative('.', file))
  return longestFirst(options.all ? all : filesOfCheck(all), readDurations())
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

/** Installs what the files need. Returns those that can run. */
async function runnable(files: readonly string[]): Promise<string[]> {
  const needs = new Map(files.map((file) => [file, programsOf(file)]))
  const missing = await installPrograms({
    programs: new Set([...needs.values()].flatMap((programs) => [...programs])),
    isAll: options.all || named.length > 0,
  })
  return files.filter((file) => ![...(needs.get(file) ?? [])].some((program) => missing.has(program)))
}

/** Runs files with the ffmpeg that users get. Where that comes from npm, tests of films run with the system's too. */
async function runAll(files: readonly string[], ffmpegs: readonly FfmpegFolder[]): Promise<FileResult[]> {
  const searchPath = process.env.PATH
  const [usual, ...others] = ffmpegs
  const runWith = async (ffmpeg: FfmpegFolder | undefined, some: readonly string[], mark: string) => {
    process.env.PATH = [...(ffmpeg ? [ffmpeg.folder] : []), searchPath].join(delimiter)
    process.env.TEST_CLIPS = join(ffmpeg?.folder ?? postgres.folder, 'clips')
    const results = await runInLanes(some, {
      lanes: options.lanes,
      isAlone,
      onResult: (result) => printResult({ ...result, file: `${result.file}${mark}` }),
    })
    return results.map((result) => ({ ...result, file: `${result.file}${mark}` }))
  }
  const results = await runWith(usual, files, '')
  if (options.all)
    for (const other of others)
      results.push(...(await runWith(other, files.filter(isAboutMedia), ` (${other.name})`)))
  return results
}

if (options.help) {
  console.log(usage)
  process.exit()
}
const begun = Date.now()
// Tests that try many values of one kind try all of them in the long check.
if (options.all) process.env.TEST_ALL = '1'
process.env.TEST_SEED ??= String(randomInt(2 ** 31))
console.log(`TEST_SEED=${process.env.TEST_SEED}`)
const all = await allFiles()
const chosen = filesToRun(all)
const [files] = await Promise.all([runnable(chosen), build()])
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
  const repeated = Array.from({ length: options.repeat }, () => files).flat()
  const results = await runAll(repeated, await ffmpegFolders(postgres.folder))
  await checked
  judgeResults(results, chosen.length - files.length)
  judgeCalls(logs, process.exitCode ? [] : files)
  if (options.record) recordDurations(results, new Set(all))
} finally {
  await stopPostgres()
}
await judgeLogs(logs)
if (named.length === 0 && !options.all) sayWhatAllAdds(files, all.length - chosen.length)
console.log(`${process.exitCode ? 'Failed' : 'All good'} after ${Math.round((Date.now() - begun) / 1000)} s.`)
