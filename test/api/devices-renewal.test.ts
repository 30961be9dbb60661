import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { signInDevice } from '@zoetrope/sdk'
import { startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { sendFrom } from '../support/guessing.js'
import { asViewer, clientOf } from './viewers.js'

let api: TestApi
let viewer: TestConsumer
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
})
after(() => api.stop())

const home = '127.10.0.1'
const elsewhere = '127.20.0.1'

interface Device {
  readonly linked: boolean
  readonly pin: string | null
  readonly consumer_id: string | null
}

const pinCall = async (from: string, action: string, form: Record<string, string>, method = 'POST') => {
  const { app_key } = api.channel.app
  const query = new URLSearchParams({ app_key, ...form })
  const { body } = await sendFrom(from, `${api.url}/pin/${action}?${query}`, {}, method)
  return (JSON.parse(body) as { response: Device }).response
}

async function tokenFrom(from: string, linked_device_id: string, pin: string): Promise<number> {
  const { client_id, client_secret } = api.channel.app
  const form = { grant_type: 'password', client_id, client_secret, linked_device_id, pin }
  return (await sendFrom(from, `${api.url}/oauth/token`, form)).status
}

/** Links a TV and signs it in from the home address. */
async function television(): Promise<string> {
  const linked_device_id = randomUUID()
  const { pin } = await pinCall(home, 'acquire', { linked_device_id })
  await pinCall(home, 'link', { consumer_id: viewer._id, pin: pin ?? '' }, 'PUT')
  assert.equal(await tokenFrom(home, linked_device_id, pin ?? ''), 200)
  return linked_device_id
}

test('a linked TV signs in again from its own network', async () => {
  const linked_device_id = await television()
  const again = await pinCall(home, 'acquire', { linked_device_id })
  assert.deepEqual([again.linked, again.consumer_id], [true, viewer._id])
  assert.equal(await tokenFrom(home, linked_device_id, again.pin ?? ''), 200)
})

test('the status of a linked TV has a valid PIN, with which it can unlink', async () => {
  const linked_device_id = await television()
  const status = (from: string) => pinCall(from, 'status', { linked_device_id }, 'GET')

  assert.deepEqual([(await status(elsewhere)).linked, (await status(elsewhere)).pin], [false, null])
  const seen = await status(home)
  assert.deepEqual([seen.linked, seen.consumer_id], [true, viewer._id])
  assert.match(seen.pin ?? '', /^[a-z2-9]{7}$/)
  assert.equal((await status(home)).pin, seen.pin, 'it stays the same while it lives')
  assert.equal((await status(elsewhere)).pin, null)

  assert.equal(await tokenFrom(home, linked_device_id, seen.pin ?? ''), 200)
  const next = await status(home)
  assert.notEqual(next.pin, seen.pin)
  await pinCall(home, 'unlink', { consumer_id: viewer._id, pin: next.pin ?? '' }, 'PUT')
  assert.deepEqual([(await status(home)).linked, (await status(home)).pin], [false, null])
})

test('the status of a TV replaces a PIN that a stranger requested', async () => {
  const linked_device_id = await television()
  const stolen = await pinCall(elsewhere, 'acquire', { linked_device_id })
  const { pin } = await pinCall(home, 'status', { linked_device_id }, 'GET')
  assert.notEqual(pin, stolen.pin)
  assert.equal(await tokenFrom(home, linked_device_id, pin ?? ''), 200)
})

test('from another network the id of a linked TV looks unlinked and cannot sign in', async () => {
  const linked_device_id = await television()

  const stolen = await pinCall(elsewhere, 'acquire', { linked_device_id })
  assert.deepEqual([stolen.linked, stolen.consumer_id], [false, null])
  assert.equal(await tokenFrom(elsewhere, linked_device_id, stolen.pin ?? ''), 401)
  const seen = await pinCall(elsewhere, 'status', { linked_device_id }, 'GET')
  assert.deepEqual([seen.linked, seen.consumer_id], [false, null])

  const own = await pinCall(home, 'status', { linked_device_id }, 'GET')
  assert.deepEqual([own.linked, own.consumer_id], [true, viewer._id])
  const again = await pinCall(home, 'acquire', { linked_device_id })
  assert.notEqual(again.pin, stolen.pin)
  const peeked = await pinCall(elsewhere, 'status', { linked_device_id }, 'GET')
  assert.equal(peeked.pin, null, 'a PIN that signs in is shown to its TV only')
  assert.equal(await tokenFrom(home, linked_device_id, again.pin ?? ''), 200)
})

test('a TV in a new network is linked again, by the same viewer or another, to whom it then belongs', async () => {
  const linked_device_id = await television()
  const other = await api.channel.consumer()
  const { pin } = await pinCall(elsewhere, 'acquire', { linked_device_id })

  await pinCall(home, 'link', { consumer_id: other._id, pin: pin ?? '' }, 'PUT')

  assert.equal(await tokenFrom(elsewhere, linked_device_id, pin ?? ''), 200)
  const devices = async (consumer: TestConsumer) =>
    (await asViewer(api.url, consumer).linked_devices.list(consumer._id)).response
  assert.deepEqual(
    (await devices(other)).map((device) => device.linked_device_id),
    [linked_device_id],
  )
  assert.ok((await devices(viewer)).every((device) => device.linked_device_id !== linked_device_id))
  const [moved] = await devices(other)
  const sessions = await asViewer(api.url, viewer).sessions.list(viewer._id)
  assert.ok(sessions.response.every(({ device_id }) => device_id !== moved?._id))
})

test('the first link does not depend on the network, so a TV with two addresses can sign in', async () => {
  const linked_device_id = randomUUID()
  const { pin } = await pinCall(home, 'acquire', { linked_device_id })
  await pinCall(home, 'link', { consumer_id: viewer._id, pin: pin ?? '' }, 'PUT')

  const seen = await pinCall(elsewhere, 'status', { linked_device_id }, 'GET')
  assert.deepEqual([seen.linked, seen.consumer_id, seen.pin], [true, viewer._id, pin])
  assert.equal((await pinCall(elsewhere, 'acquire', { linked_device_id })).pin, pin)
  assert.equal(await tokenFrom(elsewhere, linked_device_id, pin ?? ''), 200)
})

test('requesting a PIN with the id of a TV gains nothing: only the network that signed in counts', async () => {
  const linked_device_id = randomUUID()
  const { pin } = await pinCall(elsewhere, 'acquire', { linked_device_id })
  assert.equal((await pinCall(home, 'acquire', { linked_device_id })).pin, pin)
  await pinCall(home, 'link', { consumer_id: viewer._id, pin: pin ?? '' }, 'PUT')
  assert.equal(await tokenFrom(home, linked_device_id, pin ?? ''), 200)

  const stolen = await pinCall(elsewhere, 'acquire', { linked_device_id })
  assert.equal(stolen.linked, false)
  assert.equal(await tokenFrom(elsewhere, linked_device_id, stolen.pin ?? ''), 401)
  assert.equal((await pinCall(home, 'acquire', { linked_device_id })).linked, true)
})

test('with device_renewal never, a TV has to be linked again each time', async () => {
  await api.as('admin').apps.update(api.channel.app._id, { device_renewal: 'never' })
  const linked_device_id = randomUUID()
  const { pin } = await pinCall(home, 'acquire', { linked_device_id })
  await pinCall(home, 'link', { consumer_id: viewer._id, pin: pin ?? '' }, 'PUT')
  assert.equal((await pinCall(home, 'status', { linked_device_id }, 'GET')).linked, true)
  assert.equal(await tokenFrom(home, linked_device_id, pin ?? ''), 200)
  const seen = await pinCall(home, 'status', { linked_device_id }, 'GET')
  assert.deepEqual([seen.linked, seen.pin], [true, null])

  const again = await pinCall(home, 'acquire', { linked_device_id })
  assert.equal(again.linked, false)
  assert.equal((await pinCall(home, 'acquire', { linked_device_id })).pin, again.pin)
  assert.equal(await tokenFrom(home, linked_device_id, again.pin ?? ''), 401)
  await pinCall(home, 'link', { consumer_id: viewer._id, pin: again.pin ?? '' }, 'PUT')
  assert.equal((await pinCall(home, 'status', { linked_device_id }, 'GET')).linked, true)
  assert.equal(await tokenFrom(home, linked_device_id, again.pin ?? ''), 200)
  await api.as('admin').apps.update(api.channel.app._id, { device_renewal: 'same_network' })
})

test('a device of the device grant has no PIN, and its scope never grows', async () => {
  const { client_id, client_secret } = api.channel.app
  const form = { client_id, client_secret, scope: 'public' }
  const { body } = await sendFrom(home, `${api.url}/oauth/device_authorization`, form)
  const { user_code, device_code } = JSON.parse(body) as { user_code: string; device_code: string }
  await pinCall(home, 'link', { consumer_id: viewer._id, pin: user_code }, 'PUT')
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code }
  const tokens = JSON.parse((await sendFrom(home, `${api.url}/oauth/token`, { ...form, ...grant })).body)
  assert.equal(tokens.scope, 'public')
  const [device] = (await asViewer(api.url, viewer).linked_devices.list(viewer._id)).response

  const { app_key } = api.channel.app
  const asked = { app_key, linked_device_id: device?.linked_device_id ?? '' }
  assert.equal((await sendFrom(home, `${api.url}/pin/acquire`, asked)).status, 422)

  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const wider = await sendFrom(home, `${api.url}/oauth/token`, { ...form, ...refresh, scope: 'consumer' })
  assert.match(wider.body, /invalid_scope/)
  assert.equal((await sendFrom(home, `${api.url}/oauth/token`, { ...form, ...refresh })).status, 200)
})

test('with device_renewal always, a linked TV signs in again from anywhere', async () => {
  const linked_device_id = await television()
  await api.as('admin').apps.update(api.channel.app._id, { device_renewal: 'always' })

  const { pin } = await pinCall(elsewhere, 'acquire', { linked_device_id })

  assert.equal(await tokenFrom(elsewhere, linked_device_id, pin ?? ''), 200)
  await api.as('admin').apps.update(api.channel.app._id, { device_renewal: 'same_network' })
})

test("a TV's token cannot change the password or the address without the password", async () => {
  const { pin } = await api.as('app').pin.acquire({ linked_device_id: 'a TV in the hall' })
  await api.as('admin').pin.link({ consumer_id: viewer._id, pin: pin ?? '' })
  const device = await signInDevice({ ...clientOf(api), linkedDeviceId: 'a TV in the hall', pin: pin ?? '' })
  const { consumers } = asViewer(api.url, device)
  const refused = { status: 422, message: /current_password/ }
  const password = 'a new password for the hall'

  await assert.rejects(consumers.update(viewer._id, { password }), refused)
  await assert.rejects(consumers.update(viewer._id, { email: 'thief@example.com' }), refused)
  const phone = asViewer(api.url, viewer).consumers
  await assert.rejects(phone.update(viewer._id, { email: 'thief@example.com' }), refused)
  await assert.rejects(consumers.update(viewer._id, { password, current_password: 'not this one' }), refused)
  assert.equal((await consumers.update(viewer._id, { name: 'Mina' })).name, 'Mina')
  await consumers.update(viewer._id, { password, current_password: viewer.password })
})

test('a new password unlinks every device, and none can sign in again', async () => {
  const someone = await api.channel.consumer()
  const { pin } = await pinCall(home, 'acquire', { linked_device_id: 'a TV in the attic' })
  await api.as('admin').pin.link({ consumer_id: someone._id, pin: pin ?? '' })
  assert.equal(await tokenFrom(home, 'a TV in the attic', pin ?? ''), 200)

  await api.as('admin').consumers.update(someone._id, { password: 'after the attic was robbed' })

  const again = await pinCall(home, 'acquire', { linked_device_id: 'a TV in the attic' })
  assert.deepEqual([again.linked, again.consumer_id], [false, null])
  assert.equal(await tokenFrom(home, 'a TV in the attic', again.pin ?? ''), 401)
})
