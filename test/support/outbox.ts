import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jobs } from '../../packages/server/src/jobs/index.js'
import { openMailer } from '../../packages/server/src/mail/mailer.js'
import { startWorker } from '../../packages/server/src/queue/worker.js'
import type { TestApi } from './api.js'
import { appendLog } from './log-files.js'
import { until } from './patience.js'
import { urlOf } from './postgres.js'

/** A mail as its recipient sees it. */
export interface ReadMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The links in the text. */
  readonly links: readonly string[]
}

export interface Outbox {
  /** Waits for the oldest unread mail to this address. */
  nextMail(to: string): Promise<ReadMail>
  /** Returns all mails so far, read or not. */
  mails(): Promise<readonly ReadMail[]>
  stop(): Promise<void>
}

/** Runs the real jobs for a server under test. Their mails are written to a folder and can be read here. */
export async function openOutbox({ url, connection, parts, media }: TestApi): Promise<Outbox> {
  const outbox = await mkdtemp(join(tmpdir(), 'zoetrope-outbox-'))
  const { database, sealer, loginUrl } = parts
  const write = (facts: object, message: string) =>
    appendLog('worker', `${JSON.stringify({ ...facts, message })}\n`)
  const log = { info: write, warn: write }
  const mailer = openMailer({ smtpUrl: undefined, from: 'no-reply@example.org', outbox, log })
  const worker = startWorker({
    connectionUrl: urlOf(connection),
    jobs,
    context: {
      ...{ database, sealer, mailer, media, eventDays: 30, log },
      ...{ apiUrl: url, loginUrl, playerUrl: url, mediaUrl: url },
    },
    concurrency: 1,
    onError: (error) => appendLog('worker', `${String(error)}\n`),
  })
  const read = new Set<string>()

  async function written(): Promise<(ReadMail & { file: string })[]> {
    // File names are ids, which begin with the time.
    const files = (await readdir(outbox)).filter((name) => /^\w+\.eml$/.test(name)).sort()
    return Promise.all(
      files.map(async (file) => ({ file, ...readMail(await readFile(join(outbox, file), 'utf8')) })),
    )
  }

  return {
    async nextMail(to) {
      const mail = await until(`A mail to ${to}`, async () =>
        (await written()).find((each) => each.to === to && !read.has(each.file)),
      )
      read.add(mail.file)
      return mail
    },
    mails: written,
    async stop() {
      await worker.stop()
      await mailer.close()
      await rm(outbox, { recursive: true, force: true })
    },
  }
}

function readMail(raw: string): ReadMail {
  const { headers, body } = partOf(raw)
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary ? body.split(`--${boundary}`).map((part) => partOf(part.replace(/^\r\n/, ''))) : []
  const plain = parts.find((part) => /^text\/plain/.test(part.headers['content-type'] ?? '')) ?? {
    headers,
    body,
  }
  const text = decoded(plain.body, plain.headers['content-transfer-encoding'])
  return {
    to: headers.to ?? '',
    subject: decodedWords(headers.subject ?? ''),
    text,
    links: text.match(/https?:\/\/\S+/g) ?? [],
  }
}

interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function partOf(text: string): Part {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return { headers: Object.fromEntries(headers), body: text.slice(end + 4) }
}

function decoded(body: string, encoding = '7bit'): string {
  const bytes = { base64: () => Buffer.from(body, 'base64'), 'quoted-printable': () => quoted(body) }[
    encoding.toLowerCase()
  ]
  return (bytes?.().toString('utf8') ?? body).replaceAll('\r\n', '\n')
}

const quoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** Decodes non-ASCII headers (RFC 2047). */
const decodedWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : quoted(word.replaceAll('_', ' '))).toString(
        'utf8',
      ),
    )
