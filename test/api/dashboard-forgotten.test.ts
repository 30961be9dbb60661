/** Mails to publishers: who have forgotten their password, or are invited. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startOwnApi, type TestApi } from '../support/api.js'
import { type Outbox, openOutbox } from '../support/outbox.js'
import { addPublisher, call, password, signInAs } from '../support/publishers.js'
import { note } from '../support/secrets.js'
import { newEmail } from './access-targets.js'

let api: TestApi
let outbox: Outbox
before(async () => {
  api = await startOwnApi({ canMail: true })
  outbox = await openOutbox(api)
})
after(async () => {
  await outbox.stop()
  await api.stop()
})

const ask = (email: string) => call(api.url, 'POST', 'forgotten-password', { body: { email } })
const set = (token: string, secret: string) =>
  call(api.url, 'PUT', 'forgotten-password', { body: { token, password: secret } })

async function mailedToken(email: string): Promise<string> {
  const { links } = await outbox.nextMail(email)
  const [page, token = ''] = links[0]?.split('#') ?? []
  assert.equal(page, `${api.url}/dashboard/new-password`)
  note(token)
  return token
}

test('a link by mail sets a new password, once, and ends every session', async () => {
  const person = await addPublisher(api, [api.channel, 'editor'])
  const before = await signInAs(api, person)
  const asked = await ask(person.email.toUpperCase())
  assert.equal(asked.status, 202)
  const token = await mailedToken(person.email)
  const short = await set(token, 'short')
  assert.deepEqual([short.status, Object.keys(short.body.errors)], [422, ['password']])
  const chosen = 'a password chosen later'
  note(chosen)
  assert.equal((await set(token, chosen)).status, 200)
  assert.equal((await before.call('GET', 'session')).status, 401)
  assert.equal((await set(token, chosen)).status, 404)
  await assert.rejects(signInAs(api, person), /401/)
  await signInAs(api, person, { password: chosen })
})

test('a link stops working when the password is changed', async () => {
  const person = await addPublisher(api, [api.channel, 'editor'])
  const browser = await signInAs(api, person)
  await ask(person.email)
  const token = await mailedToken(person.email)
  const changed = 'a password changed meanwhile'
  note(changed)
  const reply = await browser.call('PUT', 'password', { current_password: password, password: changed })
  assert.equal(reply.status, 200)
  assert.equal((await set(token, password)).status, 404)
})

test('nobody learns which addresses have accounts, and only accounts with a password get mail', async () => {
  const person = await addPublisher(api, [api.channel, 'viewer'])
  const waiting = await addPublisher(api, [api.channel, 'viewer'])
  await api.database.db`update publishers set password_hash = null where _id = ${waiting._id}`
  const answers = [await ask('nobody@example.com'), await ask(waiting.email), await ask(person.email)]
  for (const { status, body } of answers) assert.deepEqual([status, body], [202, answers[0]?.body])
  // Mails are sent in order, so the others would have come first.
  await mailedToken(person.email)
  const to = (await outbox.mails()).map((mail) => mail.to)
  assert.ok(!to.includes(waiting.email) && !to.includes('nobody@example.com'))
})

test('the link is not a way around the second factor, and mails are limited', async () => {
  const person = await addPublisher(api, [api.channel, 'owner'])
  await api.database.db`
    update publishers set totp_secret = ${api.parts.sealer.seal('not a real second factor')}, totp_enabled_at = now() where _id = ${person._id}
  `
  await ask(person.email)
  const token = await mailedToken(person.email)
  const welcomed = await call(api.url, 'PUT', 'welcome', {
    body: { token, email: person.email, password: 'a password chosen later' },
  })
  assert.equal(welcomed.status, 404)
  const done = await set(token, password)
  assert.deepEqual([done.status, done.headers.get('set-cookie')], [200, null])
  await assert.rejects(signInAs(api, person), /401: Type the code/)
  const answers = []
  for (let times = 0; times < 5; times += 1) answers.push((await ask(person.email)).status)
  assert.deepEqual(answers, [202, 202, 202, 202, 429])
})

test('an invitation is mailed to the invited address, and its link is shown to nobody else', async () => {
  const { users } = api.as('admin')
  const [first, second] = [newEmail(), newEmail()]
  const made = await users.create({ email: first, role: 'editor', first_name: 'Ada' })
  assert.equal(made.invitation_url, null)
  const tokenFor = async (email: string) => {
    const { links, subject } = await outbox.nextMail(email)
    assert.equal(subject, 'You are invited to One')
    const token = links[0]?.split('/').at(-1) ?? ''
    note(token)
    return token
  }
  const open = (token: string) => call(api.url, 'GET', `invitation/${token}`)
  const early = await tokenFor(first)
  assert.deepEqual([(await open(early)).body.email, (await open(early)).body.role], [first, 'editor'])

  // Another address gets another link, and the first one stops working.
  assert.equal((await users.update(made._id, { email: second })).invitation_url, null)
  assert.equal((await open(early)).status, 404)
  const late = await tokenFor(second)

  const owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  const send = () => owner.call('POST', 'invitations', { email: second, role: 'viewer' }, api.channel)
  const again = await send()
  assert.deepEqual([again.status, again.body.link, again.body.email], [201, null, second])
  assert.equal((await users.get(again.body._id)).first_name, 'Ada')
  assert.equal((await open(late)).status, 404)
  const accepted = await call(api.url, 'POST', `invitation/${await tokenFor(second)}`, { body: { password } })
  assert.deepEqual([accepted.status, accepted.body.user._id], [200, again.body._id])
})

test('mails that invite one person are limited', async () => {
  const { users } = api.as('admin')
  const email = newEmail()
  for (let count = 0; count < 5; count += 1) await users.create({ email })
  await assert.rejects(users.create({ email }), { status: 429 })
})
