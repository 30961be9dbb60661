import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { removeChannel } from '../../packages/server/src/auth/channels.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { type Outbox, openOutbox } from '../support/outbox.js'
import { note } from '../support/secrets.js'
import { alertIn, authorizeUrl, headingIn, hiddenIn, open, submit } from './login-forms.js'
import { canSignIn } from './viewers.js'

const home = 'https://app.example.com/signed-in'
let api: TestApi
let outbox: Outbox
before(async () => {
  api = await startOwnApi({ canMail: true })
  outbox = await openOutbox(api)
  await api.as('admin').apps.update(api.channel.app._id, { redirect_uris: [home] })
})
beforeEach(() => api.database.db`truncate attempts`)
after(async () => {
  await outbox.stop()
  await api.stop()
})

const forgotUrl = () => `${api.url}/forgot-password?client_id=${api.channel.app.client_id}`
const forget = async (email: string) =>
  submit(`${api.url}/forgot-password`, { ...hiddenIn(await open(forgotUrl())), email })

/** Returns the link in the next mail to this address. Its token is a secret. */
async function nextLink(email: string): Promise<string> {
  const [link = ''] = (await outbox.nextMail(email)).links
  note(new URL(link).searchParams.get('token') ?? '')
  return link
}

const verifyEmail = (verify_email: boolean) => api.as('admin').account.update({ verify_email })

test('a forgotten password is replaced with the link of a mail, once', async () => {
  const { email, password } = await api.channel.consumer()
  assert.equal(headingIn(await forget(` ${email.toUpperCase()}`)), 'Look at your mail')
  const link = await nextLink(email)
  assert.ok(link.startsWith(`${api.url}/reset-password?token=`))

  const page = await open(link)
  assert.equal(headingIn(page), 'Choose a new password')
  assert.ok(page.text.includes(email))
  const chosen = 'New, with Ümlaut 77'
  note(chosen)
  const choose = (text: string) => submit(`${api.url}/reset-password`, { ...hiddenIn(page), password: text })
  for (const bad of ['', 'short 7', 'x'.repeat(201)]) {
    const again = await choose(bad)
    assert.equal(again.status, 422)
    assert.match(alertIn(again), /^The password (must have at least 8|may have at most 200) characters\.$/)
  }
  assert.equal(headingIn(await choose(chosen)), 'Your password is changed')
  assert.deepEqual(
    [await canSignIn(api, email, password), await canSignIn(api, email, chosen)],
    [false, true],
  )
  assert.match((await outbox.nextMail(email)).subject, /was changed/)

  for (const late of [await choose('Another one 99'), await open(link)])
    assert.deepEqual([late.status, headingIn(late)], [422, 'This link no longer works'])
})

test('the page does not tell whether there is such an account', async () => {
  const { email } = await api.channel.consumer()
  const [known, unknown] = [await forget(email), await forget('nobody@example.com')]
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
  await nextLink(email)
  for (const bad of ['', 'nobody', 'a@b@c', `${'a'.repeat(250)}@example.com`])
    assert.equal((await forget(bad)).status, 422, bad)
})

test('mails to one address are limited', async () => {
  for (let count = 0; count < 5; count += 1) assert.equal((await forget('many@example.com')).status, 200)
  const wait = await forget('many@example.com')
  assert.equal(wait.status, 429)
  assert.ok(Number(wait.headers.get('retry-after')) > 0)
  assert.match(alertIn(wait), /^Too many attempts/)
})

test('the channel is given by its app or its id, which is required if there are several', async () => {
  const { _id } = api.channel.channel
  assert.equal((await open(`${api.url}/forgot-password?channel=${_id}`)).status, 200)
  for (const query of ['', '?channel=nobody', `?channel=${'0'.repeat(24)}`, `?channel=${_id}&channel=${_id}`])
    assert.equal((await open(`${api.url}/forgot-password${query}`)).status, 422, query)
})

test('an address is confirmed by a click, not by opening the link', async () => {
  await verifyEmail(true)
  const email = 'unconfirmed@example.com'
  const password = 'Not confirmed yet 12'
  note(password)
  await api.as('admin').consumers.create({ email, password })
  const link = await nextLink(email)
  const page = await open(link)
  assert.equal((await open(link, { method: 'HEAD' })).status, 200)
  assert.equal(headingIn(page), 'Confirm your e-mail address')
  assert.equal(await canSignIn(api, email, password), false)

  const done = await submit(`${api.url}/verify-email`, hiddenIn(page))
  assert.equal(headingIn(done), 'Your address is confirmed')
  assert.equal(await canSignIn(api, email, password), true)
  const again = await submit(`${api.url}/verify-email`, hiddenIn(page))
  assert.deepEqual([again.status, headingIn(again)], [422, 'This link no longer works'])
  await verifyEmail(false)
})

test('signing in before confirming shows a message, gives no code, and can resend the mail', async () => {
  await verifyEmail(true)
  const email = 'eager@example.com'
  const password = 'Eager to sign in 34'
  note(password)
  await api.as('admin').consumers.create({ email, password })
  await nextLink(email)
  const page = await open(authorizeUrl(api.url, { client_id: api.channel.app.client_id, redirect_uri: home }))
  const told = await submit(`${api.url}/oauth/authorize`, { ...hiddenIn(page), email, password })
  assert.deepEqual([told.status, headingIn(told)], [403, 'Confirm your e-mail address first'])
  const [codes] = await api.database.db`select count(*)::int from authorization_codes`
  assert.equal(codes?.count, 0)

  const sent = await submit(`${api.url}/verify-email/again`, hiddenIn(told))
  assert.equal(headingIn(sent), 'The mail is on its way')
  const confirm = await open(await nextLink(email))
  await submit(`${api.url}/verify-email`, hiddenIn(confirm))
  const back = await submit(`${api.url}/oauth/authorize`, { ...hiddenIn(page), email, password })
  assert.equal(back.status, 303)
  note(new URL(back.location).searchParams.get('code') ?? '')
  await verifyEmail(false)
})

test('a TV is not linked to an account whose address is not confirmed', async () => {
  await verifyEmail(true)
  const email = 'hasty@example.com'
  const password = 'Hasty to link it 56'
  note(password)
  await api.as('admin').consumers.create({ email, password })
  const { pin } = await api.as('app').pin.acquire({ linked_device_id: 'tv-of-somebody-hasty' })
  const typed = await submit(`${api.url}/link`, { pin: String(pin) })
  const told = await submit(`${api.url}/link/sign-in`, { ...hiddenIn(typed), email, password })
  assert.deepEqual([told.status, headingIn(told)], [403, 'Confirm your e-mail address first'])
  await verifyEmail(false)
})

test('a mail token works for its own purpose only, and cannot be guessed', async () => {
  const { email } = await api.channel.consumer()
  await forget(email)
  const token = new URL(await nextLink(email)).searchParams.get('token') ?? ''
  for (const path of ['/verify-email', `/reset-password?token=${'0'.repeat(64)}`, '/reset-password'])
    assert.equal((await open(`${api.url}${path}${path.includes('?') ? '' : '?token='}`)).status, 422, path)
  assert.equal((await open(`${api.url}/verify-email?token=${token}`)).status, 422)
  assert.equal((await submit(`${api.url}/verify-email`, { token })).status, 422)
})

test('forms from other sites and other content types are rejected', async () => {
  const page = await open(forgotUrl())
  const fields = { ...hiddenIn(page), email: 'nobody@example.com' }
  const from = (origin: string) => submit(`${api.url}/forgot-password`, fields, { origin })
  for (const origin of [
    'https://evil.example.com',
    'null',
    `${api.url}.evil.example.com`,
    'http://127.0.0.1:1',
  ])
    assert.equal((await from(origin)).status, 403, origin)
  for (const origin of [api.url, api.url.replace('http:', 'https:')])
    assert.equal((await from(origin)).status, 200, origin)

  const json = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  }
  for (const init of [json, { ...json, body: '{' }, { ...json, headers: { 'content-type': 'image/png' } }]) {
    const refused = await open(`${api.url}/forgot-password`, init)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /^<!doctype html>/)
  }
  assert.equal((await submit(`${api.url}/forgot-password`, { email: 'x'.repeat(1_100_000) })).status, 413)
})

test('other methods return 405 with the allowed ones', async () => {
  const allowed = {
    '/link': 'GET, HEAD, POST',
    '/link/approve': 'POST',
    '/oauth/authorize': 'GET, HEAD, POST',
  }
  for (const [path, allow] of Object.entries(allowed))
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const refused = await open(`${api.url}${path}`, { method })
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, allow], `${method} ${path}`)
      assert.match(refused.text, /^<!doctype html>/)
    }
})

test('without a database a viewer gets a page that says to try again', async () => {
  const node = await api.startNode()
  const page = await open(`${node.url}/forgot-password?client_id=${api.channel.app.client_id}`)
  await node.database.close()
  const sent = { ...hiddenIn(page), email: 'nobody@example.com' }
  for (const out of [await open(`${node.url}/link`), await submit(`${node.url}/forgot-password`, sent)]) {
    assert.deepEqual([out.status, headingIn(out)], [503, 'Not possible for the moment'])
    assert.equal(out.headers.get('cache-control'), 'no-store')
  }
  await node.stop()
})

test('with only one channel, pages without a channel show that one', async () => {
  const { _id } = api.other.channel
  assert.match((await open(`${api.url}/link`)).text, /<title>Link your TV<\/title>/)
  await api.database.transaction((tx) => removeChannel(tx, _id))
  assert.match((await open(`${api.url}/link`)).text, /<title>Link your TV · One<\/title>/)
  assert.equal((await open(`${api.url}/forgot-password`)).status, 200)
  const dead = await open(`${api.url}/reset-password?token=none`)
  assert.match(dead.text, /<a href="\/forgot-password\?channel=[0-9a-f]{24}">Ask for a new link<\/a>/)
})
