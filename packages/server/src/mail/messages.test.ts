import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkedDeviceMail, passwordChangedMail, resetPasswordMail, verifyEmailMail } from './messages.js'

const reader = { channelTitle: 'Zoë & Co', name: 'Ada' }
const url = 'https://login.example.org/reset?a=1&token=abc'

test('a mail for a new password has the link and its lifetime in text and in HTML', () => {
  const { subject, text, html, fromName } = resetPasswordMail({ ...reader, url, hours: 2 })
  assert.equal(fromName, 'Zoë & Co')
  assert.equal(subject, 'Choose a new password for Zoë & Co')
  assert.match(text, /^Hello Ada,\n\n/)
  assert.ok(text.includes(`\n${url}\n`))
  assert.match(text, /works once, for 2 hours\./)
  assert.ok(html.includes('href="https://login.example.org/reset?a=1&amp;token=abc"'))
  assert.ok(html.includes('<title>Choose a new password for Zoë &amp; Co</title>'))
})

test('durations in hours read naturally', () => {
  const said = (hours: number) =>
    /The link works for (.*)\./.exec(verifyEmailMail({ ...reader, url, hours }).text)?.[1]
  assert.deepEqual([1, 2, 24, 48, 50].map(said), ['one hour', '2 hours', '24 hours', '2 days', '50 hours'])
})

test('a linked device is named with the time it was linked', () => {
  const at = new Date('2026-03-14T18:05:09.123Z')
  const { text } = linkedDeviceMail({ ...reader, appTitle: 'Living room TV', at })
  assert.match(text, /the app Living room TV was linked .* on 14 March 2026 at 18:05 UTC\./)
})

test('titles stay text in the HTML, whatever they contain', () => {
  const evil = '<img src=x onerror=alert(1)>"\''
  const mails = [
    resetPasswordMail({ channelTitle: evil, name: evil, url, hours: 1 }),
    verifyEmailMail({ channelTitle: evil, name: evil, url, hours: 1 }),
    passwordChangedMail({ channelTitle: evil, name: evil }),
    linkedDeviceMail({ channelTitle: evil, name: evil, appTitle: evil, at: new Date() }),
  ]
  for (const { html } of mails) {
    assert.ok(!html.includes('<img'))
    assert.ok(!html.includes(evil.slice(-2)))
  }
})

test('a name that contains a link or a sentence is not repeated', () => {
  const names = [
    'visit evil.example',
    'https://evil.example',
    'Ada\nYour account is locked',
    'a@b',
    'x'.repeat(61),
    ' ',
    '',
    null,
    undefined,
  ]
  for (const name of names) {
    const { text, html } = passwordChangedMail({ ...reader, name })
    assert.match(text, /^Hello,\n/, String(name))
    assert.ok(html.includes('>Hello,</p>'), String(name))
  }
  for (const name of ['Ada', 'Dr. Zoë O’Neil-Smith', '山田 太郎'])
    assert.ok(passwordChangedMail({ ...reader, name }).text.startsWith(`Hello ${name},\n`))
})
