import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Message } from '../lib/message.js'
import { openMailer } from './mailer.js'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-mail-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const message: Message = {
  to: 'viewer@example.com',
  fromName: 'Channel One',
  subject: 'A quiet subject',
  text: `Open this address:\nhttps://login.example.org/reset?token=${'0123456789abcdef'.repeat(4)}&more=1\n`,
  html: '<p>Hello</p>',
}

function outboxIn(name: string) {
  const logged: unknown[][] = []
  const outbox = join(folder, name, 'outbox')
  const log = { info: (...line: unknown[]) => void logged.push(line) }
  return {
    outbox,
    logged,
    mailer: openMailer({ smtpUrl: undefined, from: 'no-reply@example.org', outbox, log }),
  }
}

/** The header lines of a mail, unfolded. */
const headersOf = (raw: string) => (raw.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n')

test('without a mail server each mail becomes one complete private file in a private folder', async () => {
  const { mailer, outbox, logged } = outboxIn('files')
  const id = await mailer.send(message)
  assert.deepEqual(await readdir(outbox), [`${id}.eml`])
  assert.equal((await stat(outbox)).mode & 0o777, 0o700)
  assert.equal((await stat(join(outbox, `${id}.eml`))).mode & 0o777, 0o600)

  const raw = await readFile(join(outbox, `${id}.eml`), 'utf8')
  const headers = headersOf(raw)
  for (const header of [
    'From: Channel One <no-reply@example.org>',
    'To: viewer@example.com',
    'Subject: A quiet subject',
    `Message-ID: <${id}@example.org>`,
    'MIME-Version: 1.0',
    'Auto-Submitted: auto-generated',
  ])
    assert.ok(headers.includes(header), `${header} is not among\n${headers.join('\n')}`)
  assert.ok(headers.some((line) => /^Date: \w{3}, \d/.test(line)))
  assert.match(raw, /text\/plain; charset=utf-8/)
  assert.match(raw, /text\/html; charset=utf-8/)
  assert.ok(raw.includes(message.text.replaceAll('\n', '\r\n')), 'the link can be copied from the file')
  assert.deepEqual(logged, [
    [{ mail_id: id, file: `${id}.eml` }, 'mail written to the outbox; set SMTP_URL to send it'],
  ])
  await mailer.close()
})

test('text beyond ASCII arrives unchanged', async () => {
  const { mailer, outbox } = outboxIn('unicode')
  const id = await mailer.send({ ...message, subject: 'Füße 🎬', text: 'Grüße aus Köln', fromName: 'Ciné' })
  const raw = await readFile(join(outbox, `${id}.eml`), 'utf8')
  assert.match(raw, /Gr=C3=BC=C3=9Fe aus K=C3=B6ln/)
  assert.match(raw, /^Subject: =\?UTF-8\?/m)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII is looked for
  assert.match(raw, /^[\x00-\x7f]*$/)
})

test('line breaks in names and subjects add no header', async () => {
  const { mailer, outbox } = outboxIn('injection')
  for (const end of ['\r\n', '\n', '\r', '\u2028', '\u0000\r\n', '\u0085']) {
    const id = await mailer.send({
      ...message,
      fromName: `Channel${end}Bcc: thief@example.net`,
      subject: `Hello${end}Bcc: thief@example.net${end}${end}Body`,
    })
    const headers = headersOf(await readFile(join(outbox, `${id}.eml`), 'utf8'))
    assert.deepEqual(
      headers.filter((line) => /^bcc/i.test(line)),
      [],
    )
    assert.equal(headers.filter((line) => /^(to|from|subject):/i.test(line)).length, 3)
  }
})

test('a recipient that is not one address is refused without being repeated', async () => {
  const { mailer, outbox, logged } = outboxIn('recipients')
  for (const to of [
    'a@x.org, thief@example.net',
    'thief@example.net\r\nBcc: b@x.org',
    '<thief@example.net>',
    'a@b@c',
    'thief',
    '',
    `${'x'.repeat(250)}@example.net`,
  ])
    await assert.rejects(mailer.send({ ...message, to }), {
      message: 'The mail was not sent: its recipient is not one mail address.',
    })
  await assert.rejects(readdir(outbox), { code: 'ENOENT' })
  assert.deepEqual(logged, [])
})

test('an outbox that cannot be written is explained', async () => {
  const file = join(folder, 'in-the-way')
  await writeFile(file, '')
  const log = { info: () => {} }
  const mailer = openMailer({ smtpUrl: undefined, from: 'a@example.org', outbox: join(file, 'outbox'), log })
  await assert.rejects(
    mailer.send(message),
    /could not be written to the folder .*in-the-way.*ENOTDIR.*SMTP_URL\.$/,
  )
})

test('the log contains nothing of a mail', async () => {
  const { mailer, logged } = outboxIn('silence')
  await mailer.send(message)
  for (const part of ['viewer', 'example.com', 'quiet', 'token', 'Channel One'])
    assert.ok(!JSON.stringify(logged).includes(part), part)
})
