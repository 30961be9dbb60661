import { Writable } from 'node:stream'
import pino, { type Logger } from 'pino'
import type { Config } from '../config/config.js'

export interface Log {
  readonly logger: Logger
  flush(): void
}

/**
 * JSON lines for machines, readable lines on a terminal. Fields are logged by allowlist, so no secret gets
 * in.
 */
export function openLog({ logLevel, logFormat }: Config, isTerminal: boolean): Log {
  const options = {
    level: logLevel,
    base: undefined,
    timestamp: isoTime(),
    formatters: { level: (level: string) => ({ level }) },
    serializers: { err: errorFacts },
  }
  if ((logFormat ?? (isTerminal ? 'pretty' : 'json')) === 'pretty')
    return { logger: pino(options, prettyStream()), flush: () => {} }
  const destination = gathering(pino.destination({ dest: 1, sync: false, minLength: gatheredLength }))
  const flushing = setInterval(() => destination.flush(), 500)
  flushing.unref()
  // A process that ends because of a fault says why.
  process.once('exit', () => destination.flushSync())
  return {
    logger: pino(options, destination),
    flush: () => {
      clearInterval(flushing)
      destination.flushSync()
    },
  }
}

const gatheredLength = 16_000

/**
 * Gathers lines and writes them together: writing each separately costs more than serving a list from memory (bench/README.md).
 * Pino can gather, too, but then copies all that it has gathered for every line.
 */
function gathering(to: Pick<ReturnType<typeof pino.destination>, 'write' | 'flush' | 'flushSync'>) {
  let lines: string[] = []
  let length = 0
  const passOn = () => {
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    length = 0
    to.write(text)
  }
  return {
    write(line: string) {
      lines.push(line)
      length += line.length
      if (length >= gatheredLength) passOn()
    },
    flush() {
      passOn()
      to.flush()
    },
    /** Pino calls this after a fatal error. */
    flushSync() {
      passOn()
      to.flushSync()
    },
  }
}

/** The time as a JSON member, created once for all lines of a millisecond. */
function isoTime(): () => string {
  let last = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== last) {
      last = now
      text = `,"time":"${new Date(now).toISOString()}"`
    }
    return text
  }
}

/** Only the fields that explain an error: a driver's error may contain a statement's values. */
function errorFacts({ name, message, stack, ...rest }: Error & { code?: unknown; cause?: unknown }): object {
  return {
    type: name,
    message,
    stack,
    code: rest.code,
    cause: rest.cause instanceof Error ? rest.cause.message : undefined,
  }
}

function prettyStream(): Writable {
  return new Writable({
    write(line: Buffer, _encoding, done) {
      const text = pretty(line.toString())
      if (text !== undefined) process.stdout.write(`${text}\n`)
      done()
    },
  })
}

/** The web framework's line about its address, which the welcome already shows. */
const isInWelcome = (message: unknown) => String(message).startsWith('Server listening at ')

function pretty(line: string): string | undefined {
  const { time, level, msg, ...facts } = JSON.parse(line) as Record<string, unknown>
  if (isInWelcome(msg)) return undefined
  const head = `${String(time).slice(11, 19)} ${String(level).padEnd(5)}`
  if (msg === 'request') return `${head} ${facts.method} ${facts.path} ${facts.status} ${facts.ms} ms`
  const { err, ...rest } = facts as { err?: { stack?: string; message?: string } }
  const detail = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : ''
  return `${head} ${msg}${detail}${err ? `\n${err.stack ?? err.message}` : ''}`
}
