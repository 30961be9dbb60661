import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { type Outbox, openOutbox, type ReadMail } from '../support/outbox.js'
import { note } from '../support/secrets.js'
import { ask } from './ask.js'
import { asViewer, canSignIn } from './viewers.js'

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

let words = 0
/** Returns a password that no test has used yet. */
function newPassword(): string {
  words += 1
  const password = `fresh from the mail ${words}`
  note(password)
  return password
}

function tokenIn({ links }: ReadMail, name = 'token'): string {
  const token = new URL(links[0] ?? '').searchParams.get(name) ?? ''
  assert.match(token, /^[0-9a-f]{64}$/)
  note(token)
  return token
}

/** Requests a mail as a viewer does, and returns the token in it. */
async function tokenFor(email: string): Promise<string> {
  await api.as('app').consumers.forgotPassword({ email })
  return tokenIn(await outbox.nextMail(email))
}

const used = {
  status: 422,
  message: 'This token has expired or was used already. Ask for a new mail.',
  errors: { password_token: ['has expired or was used already'] },
}

for (const format of formats) {
  test(`a forgotten password is replaced through a mail, once (${format})`, async () => {
    const viewer = await api.channel.consumer()
    const { consumers } = api.as('app', format)
    await consumers.forgotPassword({ email: ` ${viewer.email.toUpperCase()} ` })
    const mail = await outbox.nextMail(viewer.email)
    assert.equal(mail.subject, 'Choose a new password for One')
    assert.ok(mail.links[0]?.startsWith(`${api.url}/reset-password?token=`))
    assert.equal(await canSignIn(api, viewer.email, viewer.password), true)

    const password_token = tokenIn(mail)
    const password = newPassword()
    await consumers.resetPassword({ password, password_token })
    assert.equal((await ask(`${api.url}/videos?access_token=${viewer.access_token}`)).status, 401)
    assert.deepEqual((await api.as('admin').sessions.list(viewer._id)).response, [])
    assert.equal(await canSignIn(api, viewer.email, viewer.password), false)
    assert.equal(await canSignIn(api, viewer.email, password), true)
    const { email_verified_at } = await api.as('admin').consumers.get(viewer._id)
    assert.ok(
      Date.now() - Date.parse(email_verified_at ?? '') < 60_000,
      'reading the mail confirms the address',
    )
    assert.match((await outbox.nextMail(viewer.email)).subject, /^Your password for One was changed$/)

    await assert.rejects(consumers.resetPassword({ password: newPassword(), password_token }), used)
    assert.equal(await canSignIn(api, viewer.email, password), true)
  })

  test(`a token that has expired, is unknown or another channel's changes nothing (${format})`, async () => {
    const viewer = await api.channel.consumer()
    const { consumers } = api.as('app', format)
    const password_token = await tokenFor(viewer.email)
    const password = newPassword()
    const theirs = api.other.as('app', format).consumers
    await assert.rejects(theirs.resetPassword({ password, password_token }), used)
    const other = '0'.repeat(64)
    await assert.rejects(consumers.resetPassword({ password, password_token: other }), used)
    await assert.rejects(consumers.verifyEmail({ verification_token: password_token }), { status: 422 })
    await assert.rejects(consumers.resetPassword({ password: 'short', password_token }), {
      errors: { password: ['must be at least 8 characters long'] },
    })
    await api.database.db`update mail_tokens set expires_at = now() where consumer_id = ${viewer._id}`
    await assert.rejects(consumers.resetPassword({ password, password_token }), used)
    assert.equal(await canSignIn(api, viewer.email, viewer.password), true)
    await api.database.db`
      update mail_tokens set expires_at = now() + interval '1 hour' where consumer_id = ${viewer._id}
    `
    await consumers.resetPassword({ password, password_token })
    assert.equal(await canSignIn(api, viewer.email, password), true)
  })

  test(`the response does not reveal whether the consumer exists (${format})`, async () => {
    const { email } = await api.channel.consumer()
    for (const action of ['forgot_password', 'send_verification']) {
      const answers: string[] = []
      for (const address of [`nobody-${format}@example.com`, 'not an address', email]) {
        const { status, text } = await ask(
          `${api.url}/consumers/${action}?app_key=${api.channel.app_key}&email=${encodeURIComponent(address)}`,
          format,
          { method: 'PUT' },
        )
        answers.push(`${status} ${text}`)
      }
      assert.equal(new Set(answers).size, 1, answers.join('\n'))
      assert.match(answers[0] ?? '', /^200 .*If there is an account with this address/s)
      await outbox.nextMail(email)
    }
    const written = (await outbox.mails()).filter(({ to }) => to.startsWith(`nobody-${format}`))
    assert.deepEqual(written, [])
  })
}

test('using one mail token invalidates the others', async () => {
  const { email } = await api.channel.consumer()
  const [first, second] = [await tokenFor(email), await tokenFor(email)]
  const { consumers } = api.as('app')
  const password = newPassword()
  await consumers.resetPassword({ password, password_token: second })
  await assert.rejects(consumers.resetPassword({ password: newPassword(), password_token: first }), used)
  assert.equal(await canSignIn(api, email, password), true)
})

test('when a token is used ten times at once, one succeeds', async () => {
  const { email } = await api.channel.consumer()
  const password_token = await tokenFor(email)
  const { consumers } = api.as('app')
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, () => consumers.resetPassword({ password: newPassword(), password_token })),
  )
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('tokens of mails to an old address, or from before a new password, do not work', async () => {
  const { consumers } = api.as('admin')
  const moved = await api.channel.consumer()
  const oldToken = await tokenFor(moved.email)
  await consumers.update(moved._id, { email: `moved-${moved.email}` })
  const reset = { password: newPassword(), password_token: oldToken }
  await assert.rejects(api.as('app').consumers.resetPassword(reset), used)
  await consumers.update(moved._id, { email: moved.email })
  await assert.rejects(api.as('app').consumers.resetPassword(reset), used)

  const changed = await api.channel.consumer()
  const token = await tokenFor(changed.email)
  const password = newPassword()
  await asViewer(api.url, changed).consumers.update(changed._id, { password })
  assert.match((await outbox.nextMail(changed.email)).subject, /was changed$/)
  const late = { password: newPassword(), password_token: token }
  await assert.rejects(api.as('app').consumers.resetPassword(late), used)
  assert.equal(await canSignIn(api, changed.email, password), true)
})

test("a channel's own page for new passwords gets the token", async () => {
  const { account } = api.as('admin')
  await account.update({ reset_password_url: 'https://tv.example.com/reset?lang=en' })
  const { email } = await api.channel.consumer()
  await api.as('app').consumers.forgotPassword({ email })
  const mail = await outbox.nextMail(email)
  await account.update({ reset_password_url: null })
  assert.ok(mail.links[0]?.startsWith('https://tv.example.com/reset?lang=en&password_token='))
  const password = newPassword()
  await api.as('app').consumers.resetPassword({ password, password_token: tokenIn(mail, 'password_token') })
  assert.equal(await canSignIn(api, email, password), true)
})

test('a consumer without a password chooses the first one through a mail', async () => {
  const email = 'without@example.com'
  await api.as('admin').consumers.create({ email })
  assert.equal(await canSignIn(api, email, newPassword()), false)
  const password = newPassword()
  await api.as('app').consumers.resetPassword({ password, password_token: await tokenFor(email) })
  assert.equal(await canSignIn(api, email, password), true)
})

test('mails are limited, and the response says when to retry', async () => {
  const { email } = await api.channel.consumer()
  const url = `${api.url}/consumers/forgot_password?app_key=${api.channel.app_key}`
  const request = (address: string) =>
    ask(url, 'json', { method: 'PUT', body: new URLSearchParams({ email: address }) })
  for (const typed of [email, email.toUpperCase(), ` ${email}`, email, email])
    assert.equal((await request(typed)).status, 200)
  for (const address of [email, email.toUpperCase()]) {
    const { status, headers, body } = await request(address)
    assert.deepEqual([status, body.code], [429, 'too_many_requests'])
    const seconds = Number(headers.get('retry-after'))
    assert.ok(seconds > 600 && seconds <= 720, `${seconds} s`)
  }
  const statuses: number[] = []
  for (let other = 0; other < 50; other += 1) statuses.push((await request(`o${other}@example.com`)).status)
  assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [45, 429])
  const { consumers } = api.other.as('app')
  await assert.rejects(consumers.forgotPassword({ email }), { status: 429, code: 'too_many_requests' })
})

test('changing the address repeatedly cannot flood others with mails', async () => {
  const viewer = await api.channel.consumer()
  const { consumers } = asViewer(api.url, viewer)
  const move = (email: string) => consumers.update(viewer._id, { email, current_password: viewer.password })
  for (let round = 0; round < 5; round += 1) {
    await move('victim@example.com')
    await move(`back-${round}@example.com`)
  }
  await assert.rejects(move('Victim@example.com'), { status: 429 })
  assert.equal(
    (await consumers.update(viewer._id, { email: 'back-4@example.com' })).email,
    'back-4@example.com',
  )
  assert.equal(
    (await api.as('admin').consumers.update(viewer._id, { email: 'victim@example.com' }))._id,
    viewer._id,
  )
})

test('probing which addresses are taken is limited', async () => {
  const [viewer, other] = [await api.channel.consumer(), await api.channel.consumer()]
  const { consumers } = asViewer(api.url, viewer)
  const move = () => consumers.update(viewer._id, { email: other.email, current_password: viewer.password })
  for (let round = 0; round < 5; round += 1) await assert.rejects(move(), { status: 422 })
  await assert.rejects(move(), { status: 429 })
})

test('a change of address is mailed to the old address, even after a mail outage and another change', async () => {
  const viewer = await api.channel.consumer()
  const { consumers } = asViewer(api.url, viewer)
  const current_password = viewer.password
  await consumers.update(viewer._id, { email: 'second-home@example.com', current_password })
  await consumers.update(viewer._id, { email: 'third-home@example.com', current_password })
  assert.match((await outbox.nextMail(viewer.email)).subject, /address .* was changed/)
})

test('only an app key or the admin key can request mails', async () => {
  const { email, _id, access_token } = await api.channel.consumer()
  await api.as('admin').consumers.forgotPassword({ email })
  await outbox.nextMail(email)
  for (const client of [api.as('read_only'), api.as('player'), asViewer(api.url, { access_token })]) {
    await assert.rejects(client.consumers.forgotPassword({ email }), { status: 403 })
    await assert.rejects(client.consumers.sendVerification({ email }), { status: 403 })
  }
  await assert.rejects(api.as('app').consumers.forgotPassword({} as never), {
    errors: { email: ['is required'] },
  })
  assert.equal((await api.as('admin').consumers.get(_id)).email, email)
})
