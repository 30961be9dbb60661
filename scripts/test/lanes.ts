/** Distributes test files to processes that run them one after the other, and collects the results. */
import { type ChildProcess, spawn } from 'node:child_process'
import { runSources } from '../../test/support/run-sources.js'

export interface Failure {
  readonly name: string
  readonly reason: string
}

export interface FileResult {
  readonly file: string
  readonly seconds: number
  readonly passed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
}

type FileReport = Omit<FileResult, 'seconds'>

const lane = new URL('../../test/support/lane.ts', import.meta.url).pathname
const reporter = new URL('lane-reporter.mjs', import.meta.url).href

/** A lane makes much garbage: with more room for it, it is collected less often. */
const roomy = ['--max-semi-space-size=64']

/** A file that takes longer than this hangs, even on a slow machine. */
const mostSecondsOfFile = 900
/** How long a process may take to exit after its last file, before open handles count as a failure. */
const mostSecondsToEnd = 60

export interface LaneOptions {
  readonly lanes: number
  /** Returns whether the file needs a fresh process. */
  readonly isAlone: (file: string) => boolean
  readonly onResult: (result: FileResult) => void
}

/** Runs the files in the given order, `lanes` at a time. */
export async function runInLanes(
  files: readonly string[],
  { lanes, isAlone, onResult }: LaneOptions,
): Promise<FileResult[]> {
  const waiting = [...files]
  const results: FileResult[] = []
  const keep = (result: FileResult) => {
    results.push(result)
    onResult(result)
  }
  const work = async () => {
    let runner = startRunner()
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (runner.isSpent() || (isAlone(file) && runner.hasRun())) {
        await endRunner(runner, keep)
        runner = startRunner()
      }
      keep(await runner.run(file))
      if (isAlone(file)) runner.spend()
    }
    await endRunner(runner, keep)
  }
  await Promise.all(Array.from({ length: Math.min(lanes, files.length) }, work))
  return results
}

async function endRunner(runner: Runner, keep: (result: FileResult) => void): Promise<void> {
  const reason = await runner.end()
  if (!reason) return
  const failures = [{ name: 'the process that ran the files', reason }]
  keep({ file: runner.ran().join(', '), seconds: 0, passed: 0, skipped: 0, failures })
}

type Runner = ReturnType<typeof startRunner>

/** Starts a process for one lane. It is spent once it has died, hung, or run a file that needs a fresh process. */
function startRunner() {
  const child = spawn(
    process.execPath,
    [...roomy, ...runSources, `--test-reporter=${reporter}`, '--test-reporter-destination=stdout', lane],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const ended = new Promise<string>((resolve) =>
    child.on('exit', (code, signal) => resolve(`ended with ${signal ?? code}`)),
  )
  const ready = new Promise<void>((resolve) => child.once('message', () => resolve()))
  const ran: string[] = []
  const late: string[] = []
  child.on('message', (message: unknown) => {
    if (isLate(message)) late.push(`in or after ${message.lateIn}: ${message.reason}`)
  })
  let isSpent = false
  let hasFailed = false
  return {
    ran: () => ran,
    hasRun: () => ran.length > 0,
    isSpent: () => isSpent,
    spend: () => {
      isSpent = true
    },
    async run(file: string): Promise<FileResult> {
      ran.push(file)
      await Promise.race([ready, ended])
      const begun = performance.now()
      const reported = await untilReported(child, file, ended)
      if (typeof reported === 'string') isSpent = true
      const seconds = (performance.now() - begun) / 1000
      const result =
        typeof reported === 'string' ? broken(file, seconds, reported) : { ...withTests(reported), seconds }
      hasFailed ||= result.failures.length > 0
      return result
    },
    /** Ends the process. Returns what was wrong with its exit. */
    async end(): Promise<string | undefined> {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), mostSecondsToEnd * 1000)
      const how = await ended
      clearTimeout(timer)
      if (late.length > 0) return late.join('\n')
      // The file during which it died or hung is already counted, and a failed test makes its process exit with 1.
      if (hasFailed && (isSpent || how === 'ended with 1')) return undefined
      if (how === 'ended with SIGKILL')
        return `did not end within ${mostSecondsToEnd} s: a test left something open`
      return how === 'ended with 0' ? undefined : how
    },
  }
}

/** A file without tests proves nothing: its name may be wrong, or its tests left out. */
function withTests(report: FileReport): FileReport {
  if (report.passed + report.skipped + report.failures.length > 0) return report
  return { ...report, failures: [{ name: 'the file itself', reason: 'It has no tests.' }] }
}

const broken = (file: string, seconds: number, reason: string): FileResult => ({
  file,
  seconds,
  passed: 0,
  skipped: 0,
  failures: [{ name: 'the file itself', reason }],
})

/** Sends the file to the process and waits for its report. Returns the reason if there will be none. */
function untilReported(
  child: ChildProcess,
  file: string,
  ended: Promise<string>,
): Promise<FileReport | string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve(`took longer than ${mostSecondsOfFile} s`)
    }, mostSecondsOfFile * 1000)
    const onMessage = (message: unknown) => {
      if (!isReport(message) || message.file !== file) return
      child.off('message', onMessage)
      clearTimeout(timer)
      resolve(message)
    }
    child.on('message', onMessage)
    void ended.then((how) => {
      clearTimeout(timer)
      resolve(`its process ${how}`)
    })
    if (child.connected) child.send(file)
  })
}

interface LateError {
  readonly lateIn: string
  readonly reason: string
}
const isLate = (message: unknown): message is LateError =>
  typeof message === 'object' && message !== null && 'lateIn' in message

const isReport = (message: unknown): message is FileReport =>
  typeof message === 'object' && message !== null && 'file' in message
