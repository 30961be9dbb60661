import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { startOwnApi, type TestApi, type TestConsumer } from '../support/api.js'
import { note } from '../support/secrets.js'
import { alertIn, headingIn, hiddenIn, open, type Seen, submit } from './login-forms.js'
import { post } from './oauth-requests.js'

let api: TestApi
let viewer: TestConsumer
before(async () => {
  api = await startOwnApi()
  viewer = await api.channel.consumer()
  await api.as('admin').account.update({ brand_color: '#0a7d55', support_url: 'https://help.example.com/' })
})
beforeEach(() => api.database.db`truncate attempts`)
after(() => api.stop())

async function newDevice(type = 'Roku <3>') {
  const linked_device_id = `tv-${randomBytes(12).toString('hex')}`
  const { pin } = await api.as('app').pin.acquire({ linked_device_id, type })
  return { linked_device_id, pin: pin ?? '' }
}

const client = () => ({
  client_id: api.channel.app.client_id,
  client_secret: api.channel.app.client_secret ?? '',
})

/** Starts the device grant (RFC 8628). Returns the PIN, and a function that polls for the token. */
async function newGrantDevice() {
  const { body } = await post(`${api.url}/oauth/device_authorization`, client())
  note(body.user_code)
  const poll = async () => {
    await api.database.db`update linked_devices set polled_at = null`
    return post(`${api.url}/oauth/token`, {
      ...client(),
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: body.device_code,
    })
  }
  return { pin: body.user_code, poll }
}

const typePin = (pin: string) => submit(`${api.url}/link`, { pin })
const signIn = async (pin: string, { email, password }: Pick<TestConsumer, 'email' | 'password'> = viewer) =>
  submit(`${api.url}/link/sign-in`, { ...hiddenIn(await typePin(pin)), email, password })
const decide = (page: Seen, decision: string) =>
  submit(`${api.url}/link/approve`, { ...hiddenIn(page), decision })
const isLinked = async (linked_device_id: string) =>
  (await api.as('app').pin.status({ linked_device_id })).consumer_id

test('a viewer types the PIN of a TV, signs in, sees which device it is and links it', async () => {
  const { linked_device_id, pin } = await newDevice()
  const empty = await open(`${api.url}/link?pin=${pin}`)
  assert.equal(empty.status, 200)
  assert.match(empty.text, new RegExp(`name="pin"[^>]* value="${pin}"`))

  const typed = await typePin(` ${pin.slice(0, 3).toUpperCase()}-${pin.slice(3)} `)
  assert.equal(typed.status, 200)
  assert.equal(headingIn(typed), 'Sign in to One')
  assert.match(typed.text, /to continue to <bdi>One app</)
  assert.ok(!typed.text.includes(pin), 'the PIN travels sealed')

  const page = await signIn(pin)
  assert.equal(page.status, 200)
  assert.equal(headingIn(page), 'Link this device?')
  for (const shown of [pin, 'One app', 'Roku &lt;3&gt;', '127.0.0.1', 'Just now', viewer.email])
    assert.ok(page.text.includes(shown), shown)
  assert.equal(await isLinked(linked_device_id), null)

  const done = await decide(page, 'allow')
  assert.deepEqual([done.status, headingIn(done)], [200, 'Your TV is linked'])
  assert.equal(await isLinked(linked_device_id), viewer._id)
  assert.equal(headingIn(await decide(page, 'allow')), 'Your TV is linked', 'pressed twice')
  assert.equal((await typePin(pin)).status, 422, 'the PIN waits no more')
})

test('an unknown or expired PIN shows the page again', async () => {
  const { linked_device_id, pin } = await newDevice()
  for (const wrong of ['aaaaaaa', '', 'x'.repeat(5000), "' or 1=1 --"]) {
    const again = await typePin(wrong)
    assert.equal(again.status, 422, wrong)
  }
  assert.match(alertIn(await typePin('aaaaaaa')), /^This PIN is not valid\./)
  const page = await signIn(pin)
  const typed = await typePin(pin)
  await api.database.db`
    update linked_devices set pin_expiration = now() - interval '1 s' where linked_device_id = ${linked_device_id}
  `
  const { email, password } = viewer
  const late = await submit(`${api.url}/link/sign-in`, { ...hiddenIn(typed), email, password })
  assert.equal(late.status, 422)
  assert.match(alertIn(late), /^This PIN is not valid\./)
  for (const decision of ['allow', 'deny']) {
    const refused = await decide(page, decision)
    assert.deepEqual([refused.status, headingIn(refused)], [422, 'This PIN is no longer valid'])
  }
  assert.equal(await isLinked(linked_device_id), null)
})

test('a device of the device grant gets tokens if its viewer agrees, and access_denied if not', async () => {
  const wanted = await newGrantDevice()
  assert.equal((await wanted.poll()).body.error, 'authorization_pending')
  assert.equal(headingIn(await decide(await signIn(wanted.pin), 'allow')), 'Your TV is linked')
  assert.equal((await wanted.poll()).status, 200)

  const unwanted = await newGrantDevice()
  const page = await signIn(unwanted.pin)
  assert.equal((await decide(page, 'perhaps')).status, 422)
  assert.equal(headingIn(await decide(page, 'deny')), 'The device is not linked')
  assert.equal((await unwanted.poll()).body.error, 'access_denied')
  assert.equal((await decide(page, 'allow')).status, 422, 'it stays refused')
  assert.equal((await unwanted.poll()).body.error, 'access_denied')
})

test('a TV that was refused can request another PIN', async () => {
  const { linked_device_id, pin } = await newDevice()
  await decide(await signIn(pin), 'deny')
  assert.equal((await typePin(pin)).status, 422)
  const next = await api.as('app').pin.acquire({ linked_device_id })
  assert.ok(next.pin && next.pin !== pin)
  assert.equal((await typePin(next.pin)).status, 200)
})

test('when two viewers link the same TV at once, one succeeds', async () => {
  const other = await api.channel.consumer()
  const { linked_device_id, pin } = await newDevice()
  const pages = await Promise.all([signIn(pin), signIn(pin, other)])
  const answers = await Promise.all(pages.map((page) => decide(page, 'allow')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  const winner = answers[0]?.status === 200 ? viewer : other
  assert.equal(await isLinked(linked_device_id), winner._id)
})

test('a password change during linking ends it', async () => {
  const someone = await api.channel.consumer()
  const { linked_device_id, pin } = await newDevice()
  const page = await signIn(pin, someone)
  const password = 'Another one, walrus 41'
  note(password)
  await api.as('admin').consumers.update(someone._id, { password })
  const refused = await decide(page, 'allow')
  assert.deepEqual([refused.status, headingIn(refused)], [422, 'Your account has changed'])
  assert.equal(await isLinked(linked_device_id), null)
})

test('only viewers of the channel of the device can sign in, and a wrong password shows the page again', async () => {
  const stranger = await api.other.consumer()
  const { pin } = await newDevice()
  for (const whom of [stranger, { ...viewer, password: 'not the right one' }]) {
    const again = await signIn(pin, whom)
    assert.equal(again.status, 401)
    assert.equal(alertIn(again), 'The e-mail address or the password is wrong.')
    assert.equal(headingIn(again), 'Sign in to One')
  }
  const typed = await typePin(pin)
  assert.equal(
    (await submit(`${api.url}/link/approve`, { ...hiddenIn(typed), decision: 'allow' })).status,
    422,
  )
})

test('a TV without an app can be linked as well', async () => {
  const linked_device_id = `tv-${randomBytes(12).toString('hex')}`
  const { pin } = await api.as('admin').pin.acquire({ linked_device_id })
  const page = await signIn(String(pin))
  assert.match(page.text, /your TV/)
  assert.equal((await decide(page, 'allow')).status, 200)
})

test('wrong PINs are limited', async () => {
  const { pin } = await newDevice()
  for (let count = 0; count < 30; count += 1) {
    assert.equal((await typePin(`zzzz${String(count).padStart(3, '2')}`)).status, 422)
    if (count % 10 === 0) assert.equal((await typePin(pin)).status, 200, 'a right one does not count')
  }
  const wait = await typePin(pin)
  assert.equal(wait.status, 429)
  assert.ok(Number(wait.headers.get('retry-after')) > 0)
  assert.match(alertIn(wait), /^Too many attempts/)
})
