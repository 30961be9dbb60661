import { type ChildProcess, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { cpuSeconds } from './cpu-seconds.js'
import type { FfmpegPrograms } from './find-ffmpeg.js'
import { explainExit, MediaError } from './media-error.js'
import type { Sandbox } from './sandbox.js'

export interface Ffmpeg {
  readonly programs: FfmpegPrograms
  readonly sandbox: Pick<Sandbox, 'wrap' | 'lacks'>
  /** Aborted if what it reads cannot be read. The reason is then the error of the run, whatever the program says. */
  readonly unreadable?: AbortSignal
}

/** A complete command line, built by the pure functions of this folder. Nothing else is ever run. */
export interface FfmpegPlan {
  readonly program: 'ffmpeg' | 'ffprobe'
  readonly args: readonly string[]
  /** How many outputs are pipes; the first is `pipe:3`. */
  readonly pipes: number
  /** The files it writes, to limit their size. */
  readonly files: readonly string[]
}

/** Consumes the bytes of one output. An exception ends the run; after an early return the rest is dropped. */
export type TakeOutput = (bytes: AsyncIterable<Buffer>) => Promise<void>

export interface RunLimits {
  readonly seconds: number
  readonly outputBytes: number
  readonly memoryBytes: number
}

export interface RunOptions {
  readonly outputs?: readonly TakeOutput[]
  readonly signal?: AbortSignal
  readonly nice?: number
  readonly limits?: Partial<RunLimits>
  /** Seconds of the result made so far. */
  readonly onProgress?: (seconds: number) => void
}

export const usualLimits: RunLimits = { seconds: 600, outputBytes: 4 * 1024 ** 3, memoryBytes: 4 * 1024 ** 3 }

const quiet = ['-hide_banner', '-loglevel', 'error']
const beforeArgs = {
  ffmpeg: ['-nostdin', ...quiet, '-y', '-progress', 'pipe:1', '-stats_period', '0.5'],
  ffprobe: quiet,
}
const keptLines = 20
const longestLine = 500
const firstPipe = 3
/** How often the sizes of written files are checked. */
const lookMilliseconds = 500
/** A program that had a processor for less of its time could not do its work, whatever the film is. */
const leastShare = 1 / 4

/**
 * Keeps a statically linked ffprobe from loading parts of another C library; the file in that folder explains
 * it.
 */
const charsets = fileURLToPath(new URL('../../assets/charsets', import.meta.url))

/** The only place that starts ffmpeg and ffprobe. Resolves to the program's standard output. */
export async function runFfmpeg(
  { programs, sandbox, unreadable }: Ffmpeg,
  plan: FfmpegPlan,
  options: RunOptions = {},
): Promise<Buffer> {
  const { outputs = [], signal, nice = 0, onProgress } = options
  const limits = { ...usualLimits, ...options.limits }
  if (outputs.length !== plan.pipes)
    throw new Error(`The plan has ${plan.pipes} outputs, not ${outputs.length}.`)
  if (signal?.aborted) throw aborted(signal)
  unreadable?.throwIfAborted()

  const path = programs[plan.program]
  const [command = path, ...args] = sandbox.wrap([path, ...beforeArgs[plan.program], ...plan.args], {
    memoryBytes: limits.memoryBytes,
    fileBytes: limits.outputBytes,
    nice,
  })
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...outputs.map(() => 'pipe' as const)],
    // ffmpeg reads environment variables, and needs none of ours.
    env: { PATH: dirname(path), LC_ALL: 'C', AV_LOG_FORCE_NOCOLOR: '1', GCONV_PATH: charsets },
    windowsHide: true,
  })
  const run = supervise(child, plan, limits, signal)
  const onUnreadable = () => run.fail(unreadable?.reason as Error)
  unreadable?.addEventListener('abort', onUnreadable, { once: true })
  const printed = readPrinted(child, plan.program === 'ffmpeg' ? onProgress : undefined, run.fail)
  const taken = outputs.map((take, index) =>
    takeOutput(child.stdio[firstPipe + index] as Readable, take, run),
  )
  await run.ended
  unreadable?.removeEventListener('abort', onUnreadable)
  await Promise.all([...taken, printed])
  // A program that could not read its source may have ended by itself first, with an error that blames the film.
  unreadable?.throwIfAborted()
  run.judge()
  return printed
}

const aborted = (signal: AbortSignal) =>
  new MediaError('aborted', 'The work was stopped before it was finished.', [], { cause: signal.reason })

interface Supervision {
  /** Resolves when the process has ended and all its pipes are closed. */
  readonly ended: Promise<void>
  readonly fail: (error: Error) => void
  /** Records an error without killing a program that has already ended. */
  readonly note: (error: Error) => void
  readonly count: (bytes: number) => void
  /** Throws the first error, if any. */
  readonly judge: () => void
}

/**
 * Kills the process at the first error. SIGKILL, because on other signals ffmpeg finalises its unfinished
 * output.
 */
function supervise(
  child: ChildProcess,
  plan: FfmpegPlan,
  limits: RunLimits,
  signal?: AbortSignal,
): Supervision {
  let failure: Error | undefined
  let written = 0
  let ending = ''
  let isOurs = false
  const note = (error: Error) => {
    failure ??= error
  }
  const fail = (error: Error) => {
    note(error)
    isOurs = true
    child.kill('SIGKILL')
  }
  const tooLarge = () =>
    fail(
      new MediaError('output_limit', `The result grew beyond ${limits.outputBytes} bytes and was given up.`),
    )
  const onAbort = () => signal && fail(aborted(signal))
  signal?.addEventListener('abort', onAbort, { once: true })
  const outOfTime = async () => {
    const had = child.pid === undefined ? undefined : await cpuSeconds(child.pid)
    fail(had !== undefined && had < limits.seconds * leastShare ? starved() : tooSlow(limits))
  }
  const clock = setTimeout(() => void outOfTime(), limits.seconds * 1000)
  const watch = setInterval(() => {
    void totalSize(plan.files).then((size) => size > limits.outputBytes && tooLarge())
  }, lookMilliseconds)
  const lines = readLastLines(child.stderr as Readable)

  const ended = new Promise<void>((resolve) => {
    child.once('error', (cause) => {
      fail(notStarted(plan.program, { cause }))
      if (child.pid === undefined) resolve()
    })
    child.once('close', (code, killedBy) => {
      ending = killedBy ?? (code ? `code ${code}` : '')
      resolve()
    })
  }).finally(() => {
    clearTimeout(clock)
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
  })
  return {
    ended,
    fail,
    note,
    count: (bytes) => {
      written += bytes
      if (written > limits.outputBytes) tooLarge()
    },
    judge: () => {
      if (!isOurs && fromOutside.includes(ending)) throw killed(plan.program, ending)
      if (!isOurs && notFound.includes(ending)) throw notStarted(plan.program)
      if (failure) throw failure
      if (ending === 'SIGXFSZ')
        throw new MediaError('output_limit', 'The result grew larger than it may.', lines())
      if (ending) throw explainExit(plan.program, ending, lines())
    },
  }
}

const tooSlow = ({ seconds }: RunLimits) =>
  new MediaError('time_limit', `The work took longer than ${seconds} seconds and was given up.`)
const starved = () =>
  new MediaError('starved', 'The machine is too busy for the work, or stood still. It is tried again later.')

async function totalSize(files: readonly string[]): Promise<number> {
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)))
  return found.reduce((sum, entry) => sum + (entry?.size ?? 0), 0)
}

const fromOutside = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']
const killed = (program: string, ending: string) =>
  new MediaError('killed', `${program} was ended from outside (${ending}). Has the machine enough memory?`)

/** Exit codes of the sandbox programs if the program is missing or may not be run. */
const notFound = ['code 126', 'code 127']
const notStarted = (program: string, options?: ErrorOptions) =>
  new MediaError('not_started', `${program} could not be started. Is it still installed?`, [], options)

async function takeOutput(
  pipe: Readable,
  take: TakeOutput,
  { count, fail, note }: Pick<Supervision, 'count' | 'fail' | 'note'>,
): Promise<void> {
  // When a program has ended, Node.js drops what nobody reads. A consumer may begin later, after it has waited for the store.
  const hold = () => undefined
  pipe.on('readable', hold)
  async function* counted() {
    for await (const chunk of pipe.iterator({ destroyOnReturn: false })) {
      count((chunk as Buffer).length)
      yield chunk as Buffer
    }
  }
  try {
    await take(counted())
  } catch (error) {
    // If the output ends early, the program's exit is the reason, provided it was involuntary.
    if (pipe.readableEnded) note(error as Error)
    else fail(error as Error)
  } finally {
    // An unread pipe would block ffmpeg forever.
    pipe
      .off('readable', hold)
      .on('error', () => undefined)
      .resume()
  }
}

/** All of ffprobe's output; only the time of ffmpeg's progress. */
async function readPrinted(
  child: ChildProcess,
  onProgress: ((seconds: number) => void) | undefined,
  fail: (error: Error) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    if (onProgress) tellProgress(chunk, onProgress)
    size += chunk.length
    if (size <= mostPrinted) chunks.push(chunk)
    else fail(new MediaError('output_limit', 'The description of the file is too long.'))
  })
  await new Promise<void>((resolve) => {
    child.stdout?.once('close', resolve)
    child.once('error', () => resolve())
  })
  return Buffer.concat(chunks)
}

const mostPrinted = 32 * 1024 * 1024

function tellProgress(chunk: Buffer, onProgress: (seconds: number) => void): void {
  const times = [...chunk.toString('latin1').matchAll(/^out_time_us=(\d+)$/gm)]
  const last = times.at(-1)?.[1]
  if (last !== undefined) onProgress(Number(last) / 1e6)
}

function readLastLines(stream: Readable): () => string[] {
  let tail = ''
  stream.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-keptLines * longestLine)
  })
  return () =>
    tail
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-keptLines)
      .map((line) => line.slice(0, longestLine))
}
