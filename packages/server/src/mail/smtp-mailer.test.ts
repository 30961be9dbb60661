import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Message } from '../lib/message.js'
import { openMailer } from './mailer.js'

const message: Message = {
  to: 'viewer@example.com',
  fromName: 'Channel One',
  subject: 'A quiet subject',
  text: 'A quiet text\n.\n.leading dot\n',
  html: '<p>A quiet text</p>',
}

const closers: (() => void)[] = []
after(() => {
  for (const close of closers) close()
})

interface ReceivedMail {
  readonly raw: string
  readonly from: string
  readonly to: readonly string[]
  readonly user: string | undefined
  readonly secure: boolean
}

/** A real mail server that stores what it receives. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          raw: Buffer.concat(chunks).toString(),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : undefined,
          secure: session.secure,
        })
        done()
      })
    },
    ...options,
  })
  // A client that does not trust the certificate closes the connection, which is what this tests.
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  closers.push(() => server.close())
  return { received, port: (server.server.address() as AddressInfo).port }
}

/** A server that handles connections as the test says. */
async function startRawServer(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    onSocket(socket)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function mailerFor(smtpUrl: string, limits?: { connectMs: number; wholeMs: number }) {
  const logged: unknown[][] = []
  const log = { info: (...line: unknown[]) => void logged.push(line) }
  const from = 'no-reply@example.org'
  const mailer = openMailer({ smtpUrl, from, outbox: '/nowhere', log, ...(limits && { limits }) })
  return { mailer, logged }
}

/** The complete failure as an operator sees it. */
async function failureOf(sending: Promise<string>): Promise<string> {
  const error = await sending.then(
    () => assert.fail('the mail was sent'),
    (failure: Error) => failure,
  )
  assert.equal(error.cause, undefined)
  assert.deepEqual(Object.keys(error), [])
  return error.message
}

test('a mail reaches the server with both addresses, and only its id is logged', async () => {
  const { received, port } = await startMailServer()
  const { mailer, logged } = mailerFor(`smtp://127.0.0.1:${port}`)
  const id = await mailer.send(message)
  assert.equal(received.length, 1)
  assert.equal(received[0]?.from, 'no-reply@example.org')
  assert.deepEqual(received[0]?.to, ['viewer@example.com'])
  assert.match(received[0]?.raw ?? '', /^From: Channel One <no-reply@example\.org>\r$/m)
  assert.ok(received[0]?.raw.includes('A quiet text\r\n.\r\n.leading dot\r\n'))
  assert.ok(received[0]?.raw.includes(`Message-ID: <${id}@example.org>`))
  assert.deepEqual(logged, [[{ mail_id: id }, 'mail handed to the mail server']])
  await mailer.close()
})

test('user and password in the address are used, also percent-encoded', async () => {
  const { received, port } = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'post@zoetrope' && password === 'hun/ter:2') done(null, { user: username })
      else done(new Error(`Wrong password ${password} of ${username}`))
    },
  })
  const right = mailerFor(`smtp://post%40zoetrope:hun%2Fter%3A2@127.0.0.1:${port}`)
  await right.mailer.send(message)
  assert.equal(received[0]?.user, 'post@zoetrope')

  const wrong = mailerFor(`smtp://post%40zoetrope:guessed@127.0.0.1:${port}`)
  const failure = await failureOf(wrong.mailer.send(message))
  assert.match(failure, /^The mail server 127\.0\.0\.1:\d+ refused the user and password of SMTP_URL: 535 /)
  assert.ok(!/guessed|post@/.test(failure), failure)
})

test('a refusal is quoted without addresses', async () => {
  const refusing = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(new Error(`<${address}>: user Viewer unknown, relay access denied`)),
  })
  const { mailer, logged } = mailerFor(`smtp://127.0.0.1:${refusing.port}`)
  const failure = await failureOf(mailer.send(message))
  assert.match(failure, /refused the recipient: 550 … user … unknown, relay access denied$/)
  assert.deepEqual(logged, [])

  const strict = await startMailServer({ onMailFrom: (_address, _session, done) => done(new Error('Who?')) })
  const { mailer: another } = mailerFor(`smtp://127.0.0.1:${strict.port}`)
  assert.match(await failureOf(another.send(message)), /refused the sender, MAIL_FROM: 550 Who\?$/)
})

test('an unreachable server is named', async () => {
  const { mailer } = mailerFor('smtp://127.0.0.1:1')
  assert.match(
    await failureOf(mailer.send(message)),
    /^The connection to the mail server 127\.0\.0\.1:1 failed: .*ECONNREFUSED.* Is SMTP_URL right\?$/,
  )
})

test('a server that is silent or slow is given up in time', async () => {
  const silent = await startRawServer(() => {})
  const limits = { connectMs: 150, wholeMs: 400 }
  const { mailer } = mailerFor(`smtp://127.0.0.1:${silent}`, limits)
  assert.match(await failureOf(mailer.send(message)), /took too long\. Is SMTP_URL right, and is it up\?$/)

  // Each line arrives before the idle limit, so only the overall limit ends it.
  const dawdling = await startRawServer((socket) => {
    socket.write('220 hello\r\n')
    const timer = setInterval(() => socket.write('250-more\r\n'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  const { mailer: another } = mailerFor(`smtp://127.0.0.1:${dawdling}`, limits)
  assert.match(await failureOf(another.send(message)), /took too long/)
})

test('an untrusted certificate ends the delivery, with TLS from the start and with STARTTLS', async () => {
  const offering = await startMailServer({ hideSTARTTLS: false })
  const secure = await startMailServer({ secure: true })
  for (const url of [`smtp://127.0.0.1:${offering.port}`, `smtps://127.0.0.1:${secure.port}`]) {
    const { mailer } = mailerFor(url)
    assert.match(await failureOf(mailer.send(message)), /failed: .*certificate.*/i)
  }
  assert.deepEqual([...offering.received, ...secure.received], [])
})

test('closing ends deliveries under way', async () => {
  const silent = await startRawServer(() => {})
  const { mailer } = mailerFor(`smtp://127.0.0.1:${silent}`)
  const sending = failureOf(mailer.send(message))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await mailer.close()
  assert.match(await sending, /closed/)
})
