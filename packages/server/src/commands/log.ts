import { Writable } from 'node:stream'
import pino, { type Logger } from 'pino'
import type { Config } from '../config.js'

const secretPaths = [
  'api_key',
  'app_key',
  'access_token',
  'client_secret',
  'password',
  'authorization',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

export interface Log {
  readonly logger: Logger
  flush(): void
}

/** Lines of JSON for machines; on a terminal, lines for people. Secrets are struck out. */
export function openLog({ logLevel, logFormat }: Config, isTerminal: boolean): Log {
  const options = {
    level: logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    redact: { paths: secretPaths, censor: '…' },
  }
  if ((logFormat ?? (isTerminal ? 'pretty' : 'json')) === 'pretty')
    return { logger: pino(options, prettyStream()), flush: () => {} }
  // Buffered: writing each line by itself costs more than answering a list from memory (bench/README.md).
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  const flushing = setInterval(() => destination.flush(), 500)
  flushing.unref()
  return {
    logger: pino(options, destination),
    flush: () => {
      clearInterval(flushing)
      destination.flushSync()
    },
  }
}

function prettyStream(): Writable {
  return new Writable({
    write(line: Buffer, _encoding, done) {
      process.stdout.write(`${pretty(line.toString())}\n`)
      done()
    },
  })
}

function pretty(line: string): string {
  const { time, level, msg, ...facts } = JSON.parse(line) as Record<string, unknown>
  const head = `${String(time).slice(11, 19)} ${String(level).padEnd(5)}`
  if (msg === 'request') return `${head} ${facts.method} ${facts.path} ${facts.status} ${facts.ms} ms`
  const { err, ...rest } = facts as { err?: { stack?: string; message?: string } }
  const detail = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : ''
  return `${head} ${msg}${detail}${err ? `\n${err.stack ?? err.message}` : ''}`
}
