import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { jobs } from '../../packages/server/src/jobs/index.js'
import { openMailer } from '../../packages/server/src/mail/mailer.js'
import { startWorker, type Worker } from '../../packages/server/src/queue/worker.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { appendLog } from '../support/log-files.js'
import { until } from '../support/patience.js'
import { urlOf } from '../support/postgres.js'
import { note } from '../support/secrets.js'
import { canSignIn } from './viewers.js'

interface Received {
  readonly to: string
  readonly raw: string
}

let api: TestApi
let server: SMTPServer
let worker: Worker
const received: Received[] = []
/** How many more mails to each address the SMTP server rejects. */
const refusing = new Map<string, number>()

before(async () => {
  api = await startOwnApi()
  server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onRcptTo({ address }, _session, done) {
      const left = refusing.get(address) ?? 0
      refusing.set(address, Math.max(left - 1, 0))
      if (left === 0) return done()
      done(Object.assign(new Error('Greylisted, try again later'), { responseCode: 451 }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo[0]?.address ?? '', raw: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  const { database, sealer, loginUrl } = api.parts
  const write = (facts: object, message: string) =>
    appendLog('worker', `${JSON.stringify({ ...facts, message })}\n`)
  const log = { info: write, warn: write }
  const mailer = openMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'no-reply@example.org',
    outbox: '',
    log,
  })
  worker = startWorker({
    connectionUrl: urlOf(api.connection),
    jobs,
    context: {
      database,
      sealer,
      mailer,
      media: api.media,
      apiUrl: api.url,
      loginUrl,
      playerUrl: api.url,
      mediaUrl: api.url,
      eventDays: 30,
      log,
    },
    concurrency: 2,
    onError: (error) => appendLog('worker', `${String(error)}\n`),
  })
})
after(async () => {
  await worker.stop()
  server.close()
  await api.stop()
})

const mailTo = (email: string) => until(`A mail to ${email}`, () => received.find(({ to }) => to === email))

function tokenIn(raw: string): string {
  const token = /token=([0-9a-f]{64})/.exec(raw)?.[1] ?? ''
  note(token)
  return token
}

/** Returns the content of the whole database as text. */
async function dump(): Promise<string> {
  const { db } = api.database
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')
  `
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await db<{ row: string }[]>`select t::text as row from ${db.unsafe(name)} as t`
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

test('a mail is sent through the mail server, and its token is nowhere else', async () => {
  const viewer = await api.channel.consumer()
  await api.as('app').consumers.forgotPassword({ email: viewer.email })
  const { raw } = await mailTo(viewer.email)
  assert.match(raw, /^From: One <no-reply@example\.org>\r$/m)
  const password_token = tokenIn(raw)
  const everything = await dump()
  assert.ok(everything.includes(viewer.email))
  const bytes = Buffer.from(password_token, 'hex')
  for (const form of [
    password_token,
    bytes.toString('base64'),
    Buffer.from(password_token).toString('base64'),
  ])
    assert.ok(!everything.includes(form), 'the token is in the database')
  const password = 'came by post and stayed'
  note(password)
  await api.as('app').consumers.resetPassword({ password, password_token })
  assert.equal(await canSignIn(api, viewer.email, password), true)
})

/** Waits until a job has failed this many times, then makes it run again at once. Returns the job. */
async function failed(email: string, attempts: number) {
  const { db } = api.database
  const job = await until(`Failure ${attempts}`, async () => {
    const [found] = await db<{ payload: object; last_error: string }[]>`
      select payload, last_error from graphile_worker._private_jobs
      where attempts = ${attempts} and locked_at is null and payload->>'email' = ${email}
    `
    return found
  })
  await db`update graphile_worker._private_jobs set run_at = now() where payload->>'email' = ${email}`
  await db`select pg_notify('jobs:insert', '{"r": 1, "count": 1}')`
  return job
}

const done = (email: string) =>
  until('The end of the job', async () => {
    const left = await api.database.db`
      select from graphile_worker._private_jobs where payload->>'email' = ${email}
    `
    return left.length === 0 ? true : undefined
  })

test('a rejected mail is retried with a new token', async () => {
  const { email, _id } = await api.channel.consumer('refused@example.com')
  refusing.set(email, 2)
  await api.as('app').consumers.forgotPassword({ email })
  for (const attempt of [1, 2]) {
    const { payload, last_error } = await failed(email, attempt)
    assert.deepEqual(payload, { site_id: api.channel.channel._id, email, purpose: 'reset_password' })
    assert.match(last_error, /refused the recipient: 451 Greylisted/)
  }
  const { raw } = await mailTo(email)
  await done(email)
  assert.equal(received.filter(({ to }) => to === email).length, 1)
  const password = 'third time lucky word'
  note(password)
  await api.as('app').consumers.resetPassword({ password, password_token: tokenIn(raw) })
  const left = await api.database.db`select from mail_tokens where consumer_id = ${_id}`
  assert.equal(left.length, 0, 'the tokens of mails that were never sent end with it')
})

test('no mail is sent to a consumer who was removed meanwhile', async () => {
  const { email, _id } = await api.channel.consumer('removed@example.com')
  refusing.set(email, 1)
  await api.as('app').consumers.forgotPassword({ email })
  await until('The refusal', () => (refusing.get(email) === 0 ? true : undefined))
  await api.as('admin').consumers.remove(_id)
  await failed(email, 1)
  await done(email)
  assert.deepEqual(
    received.filter(({ to }) => to === email),
    [],
  )
})
