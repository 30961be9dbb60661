/** What a new password of a publisher ends, and what it leaves in place. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashPassword } from '../../packages/server/src/auth/passwords.js'
import { type PasswordChange, replacePassword } from '../../packages/server/src/auth/publisher-passwords.js'
import { findSignInLink, newPasswordLink } from '../../packages/server/src/auth/sign-in-links.js'
import { startApi, type TestApi } from '../support/api.js'
import { addPublisher, password, signInAs, type TestPublisher } from '../support/publishers.js'
import { note } from '../support/secrets.js'

const chosen = 'another password for the dashboard'
note(chosen)
let api: TestApi
let password_hash: string
before(async () => {
  api = await startApi()
  password_hash = await hashPassword(chosen)
})
after(() => api.stop())

const replace = ({ _id }: TestPublisher, change: Partial<PasswordChange> = {}) =>
  api.database.transaction((tx) => replacePassword(tx, { publisher_id: _id, password_hash, ...change }))

/** A publisher with an authenticator app and a recovery code. */
async function addGuardedPublisher(): Promise<TestPublisher> {
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  const { db } = api.database
  await db`update publishers set totp_secret = ${api.parts.sealer.seal('x')}, totp_enabled_at = now()
    where _id = ${publisher._id}`
  await db`insert into publisher_recovery_codes values (${publisher._id}, ${api.parts.sealer.digest('code')})`
  return publisher
}

async function factorsOf({ _id }: TestPublisher): Promise<readonly [boolean, number]> {
  const [found] = await api.database.db<{ isOn: boolean; codes: number }[]>`
    select totp_secret is not null and totp_enabled_at is not null as "isOn",
      (select count(*)::int from publisher_recovery_codes where publisher_id = _id) as codes
    from publishers where _id = ${_id}
  `
  return [found?.isOn ?? false, found?.codes ?? 0]
}

test('a new password replaces the old one', async () => {
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  assert.equal(await replace(publisher), true)
  await assert.rejects(signInAs(api, publisher), /401/)
  await signInAs(api, publisher, { password: chosen })
})

test('a new password ends every session but the one to keep', async () => {
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  const [first, second] = [await signInAs(api, publisher), await signInAs(api, publisher)]
  const { body } = await second.call('GET', 'sessions')
  const kept_session: string = body.find(({ current }: { current: boolean }) => current)._id
  const statuses = async () =>
    Promise.all([first, second].map(async (each) => (await each.call('GET', 'session')).status))
  await replace(publisher, { kept_session })
  assert.deepEqual(await statuses(), [401, 200])
  await replace(publisher)
  assert.deepEqual(await statuses(), [401, 401])
})

test('a new password ends the links that were sent by mail', async () => {
  const { database, parts, url } = api
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  const link = await newPasswordLink(database.db, parts.sealer, url, { email: publisher.email, hours: 1 })
  const token = link?.url.split('#')[1] ?? ''
  note(token)
  const find = () => findSignInLink(database.db, parts.sealer, token, 'new_password')
  assert.equal((await find())?.publisher_id, publisher._id)
  await replace(publisher)
  assert.equal(await find(), undefined)
})

test('the authenticator app and its recovery codes stay, unless they are to be removed', async () => {
  const publisher = await addGuardedPublisher()
  await replace(publisher)
  assert.deepEqual(await factorsOf(publisher), [true, 1])
  await replace(publisher, { removesSecondFactor: true })
  assert.deepEqual(await factorsOf(publisher), [false, 0])
})

test('an account without a password cannot sign in with the old one', async () => {
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  await replace(publisher, { password_hash: null })
  await assert.rejects(signInAs(api, publisher), /401/)
})

test('an e-mail address is changed together with the password', async () => {
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  const email = `new-${publisher.email}`
  await replace(publisher, { email })
  await signInAs(api, { email }, { password: chosen })
  await assert.rejects(signInAs(api, publisher, { password: chosen }), /401/)
})

test('nothing ends if the password was changed after it was checked', async () => {
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  const browser = await signInAs(api, publisher)
  assert.equal(await replace(publisher, { replaces: 'another hash' }), false)
  assert.equal((await browser.call('GET', 'session')).status, 200)
  await signInAs(api, publisher, { password })
})
