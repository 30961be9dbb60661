import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { signIn, signInDevice } from '@zoetrope/sdk'
import { formats, startApi, type TestApi } from '../support/api.js'
import { type Outbox, openOutbox } from '../support/outbox.js'
import { note } from '../support/secrets.js'
import { canSignIn, clientOf } from './viewers.js'

let api: TestApi
let outbox: Outbox
before(async () => {
  api = await startApi()
  outbox = await openOutbox(api)
})
beforeEach(() => api.database.db`truncate attempts`)
after(async () => {
  await outbox.stop()
  await api.stop()
})

const password = 'trust but verify me'
note(password)
const mustConfirm = (verify_email: boolean) => api.as('admin').account.update({ verify_email })
const verifiedAt = async (id: string) => (await api.as('admin').consumers.get(id)).email_verified_at
const unconfirmed = {
  status: 401,
  code: 'invalid_grant',
  message: 'The e-mail address has to be confirmed first, with the link in the mail sent to it.',
}
const wrong = { status: 401, message: 'The e-mail address or the password is wrong.' }
const enter = (username: string, typed = password) => signIn({ ...clientOf(api), username, password: typed })

/** Returns the token in the next confirmation mail to this address. */
async function tokenTo(email: string): Promise<string> {
  const mail = await outbox.nextMail(email)
  assert.equal(mail.subject, 'Confirm your address for One')
  const link = mail.links[0] ?? ''
  assert.ok(link.startsWith(`${api.url}/verify-email?token=`), link)
  const token = new URL(link).searchParams.get('token') ?? ''
  assert.match(token, /^[0-9a-f]{64}$/)
  note(token)
  return token
}

for (const format of formats) {
  test(`with verify_email an address must be confirmed before the first sign-in (${format})`, async () => {
    await mustConfirm(true)
    const { consumers } = api.as('app', format)
    const email = `new-${format}@example.com`
    const { _id } = await consumers.create({ email, password })
    const verification_token = await tokenTo(email)
    await assert.rejects(enter(email), unconfirmed)
    await assert.rejects(enter(email, `not ${password}`), wrong)
    await assert.rejects(enter(`nobody-${format}@example.com`), wrong)
    assert.equal((await api.as('admin').consumers.get(_id)).sign_in_count, 0)

    const theirs = api.other.as('app', format).consumers
    const used = { status: 422, errors: { verification_token: ['has expired or was used already'] } }
    await assert.rejects(theirs.verifyEmail({ verification_token }), used)
    await assert.rejects(consumers.resetPassword({ password, password_token: verification_token }), {
      status: 422,
    })
    await consumers.verifyEmail({ verification_token })
    assert.ok(await verifiedAt(_id))
    assert.equal(await canSignIn(api, email, password), true)
    await assert.rejects(consumers.verifyEmail({ verification_token }), used)
    await mustConfirm(false)
  })

  test(`a verification mail can be sent again, and the old link expires (${format})`, async () => {
    await mustConfirm(true)
    const { consumers } = api.as('app', format)
    const email = `late-${format}@example.com`
    const { _id } = await consumers.create({ email, password })
    const first = await tokenTo(email)
    await api.database.db`update mail_tokens set expires_at = now() where consumer_id = ${_id}`
    await assert.rejects(consumers.verifyEmail({ verification_token: first }), { status: 422 })
    await consumers.sendVerification({ email: ` ${email.toUpperCase()}` })
    await consumers.verifyEmail({ verification_token: await tokenTo(email) })
    assert.equal(await canSignIn(api, email, password), true)
    await mustConfirm(false)
  })

  test(`a new address has to be confirmed like the first (${format})`, async () => {
    const email = `first-${format}@example.com`
    const moved = `second-${format}@example.com`
    const { consumers } = api.as('admin', format)
    const { _id } = await consumers.create({ email, password })
    await api.as('app').consumers.sendVerification({ email })
    const early = await tokenTo(email)
    await mustConfirm(true)
    const changed = await consumers.update(_id, { email: moved })
    assert.deepEqual([changed.email, changed.email_verified_at], [moved, null])
    await assert.rejects(enter(moved), unconfirmed)
    const old = api.as('app', format).consumers.verifyEmail({ verification_token: early })
    await assert.rejects(old, { status: 422 })
    await api.as('app', format).consumers.verifyEmail({ verification_token: await tokenTo(moved) })
    assert.equal(await canSignIn(api, moved, password), true)
    const confirmed = await verifiedAt(_id)
    assert.ok(confirmed)
    const same = await consumers.update(_id, { email: moved.toUpperCase(), name: 'Same address' })
    assert.equal(same.email_verified_at, confirmed)
    await mustConfirm(false)
  })
}

test('without verify_email viewers sign in at once and get no mail', async () => {
  const email = 'at-once@example.com'
  await api.as('app').consumers.create({ email, password })
  assert.equal(await canSignIn(api, email, password), true)
  await api.as('app').consumers.sendVerification({ email })
  await api.as('app').consumers.verifyEmail({ verification_token: await tokenTo(email) })
  await api.as('app').consumers.sendVerification({ email })
  await api.as('app').consumers.forgotPassword({ email })
  assert.match((await outbox.nextMail(email)).subject, /^Choose a new password/)
  assert.equal((await outbox.mails()).filter(({ to }) => to === email).length, 2)
})

test('verify_email of one channel does not affect another', async () => {
  await mustConfirm(true)
  const viewer = await api.other.consumer('elsewhere@example.com')
  assert.match(viewer.access_token, /^[0-9a-f]{64}$/)
  await mustConfirm(false)
})

test('turning on verify_email blocks unconfirmed consumers, on devices too', async () => {
  const viewer = await api.channel.consumer()
  const { pin } = api.as('app')
  const linked_device_id = `tv-of-${viewer._id}`
  const { pin: code } = await pin.acquire({ linked_device_id })
  await pin.link({ consumer_id: viewer._id, pin: code ?? '' })
  assert.match((await outbox.nextMail(viewer.email)).subject, /^A device was linked/)
  await mustConfirm(true)
  await assert.rejects(enter(viewer.email, viewer.password), unconfirmed)
  const onDevice = { ...clientOf(api), linkedDeviceId: linked_device_id, pin: code ?? '' }
  await assert.rejects(signInDevice(onDevice), unconfirmed)
  await api.as('app').consumers.sendVerification({ email: viewer.email })
  await api.as('app').consumers.verifyEmail({ verification_token: await tokenTo(viewer.email) })
  assert.equal(await canSignIn(api, viewer.email, viewer.password), true)
  await mustConfirm(false)
})

test('a consumer who resets the password by mail has confirmed the address', async () => {
  await mustConfirm(true)
  const email = 'both@example.com'
  await api.as('admin').consumers.create({ email })
  await tokenTo(email)
  await api.as('app').consumers.forgotPassword({ email })
  const link = (await outbox.nextMail(email)).links[0] ?? ''
  const password_token = new URL(link).searchParams.get('token') ?? ''
  await api.as('app').consumers.resetPassword({ password, password_token })
  assert.equal(await canSignIn(api, email, password), true)
  await mustConfirm(false)
})
