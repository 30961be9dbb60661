import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { signInDevice } from '@zoetrope/sdk'
import { redeemPin } from '../../packages/server/src/auth/pins.js'
import { startOwnApi, type TestApi, type TestChannel, type TestConsumer } from '../support/api.js'
import { ask } from './ask.js'
import { asViewer, clientOf } from './viewers.js'

let api: TestApi
let viewer: TestConsumer
before(async () => {
  api = await startOwnApi()
  viewer = await api.channel.consumer()
})
after(() => api.stop())

const newDevice = () => `tv-${randomBytes(12).toString('hex')}`
const unknown = { status: 404, message: 'Invalid Device Pin.' }
const refused = { status: 401, code: 'invalid_grant' }
const signInWith = (linkedDeviceId: string, pin: string, app = clientOf(api)) =>
  signInDevice({ ...app, linkedDeviceId, pin })
const forgetAttempts = () => api.database.db`truncate attempts`
beforeEach(forgetAttempts)

/** Acquires a PIN for a new device and links it to the viewer. */
async function linkedDevice(channel: TestChannel = api.channel, consumer_id = viewer._id) {
  const linked_device_id = newDevice()
  const { pin } = channel.as('app')
  const { pin: code } = await pin.acquire({ linked_device_id })
  await pin.link({ consumer_id, pin: code ?? '' })
  return { linked_device_id, pin: code ?? '' }
}

test('a PIN works once, and only for its device and app', async () => {
  const { linked_device_id, pin } = await linkedDevice()
  const second = await api.as('admin').apps.create({ title: 'Second' })
  const otherApp = {
    url: api.url,
    clientId: second.client_id,
    clientSecret: second.client_secret,
    retries: 0,
  }
  const elsewhere = clientOf({ url: api.url, channel: api.other })
  await assert.rejects(signInWith(linked_device_id, pin, otherApp), refused)
  await assert.rejects(signInWith(linked_device_id, pin, elsewhere), refused)
  await assert.rejects(signInWith(newDevice(), pin), refused)
  const { access_token } = await signInWith(linked_device_id, pin)
  assert.equal((await asViewer(api.url, { access_token }).consumers.get(viewer._id))._id, viewer._id)
  await assert.rejects(signInWith(linked_device_id, pin), refused)
})

test('when a PIN is used twenty times at once, one signs in', async () => {
  const { linked_device_id, pin } = await linkedDevice()
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => signInWith(linked_device_id, pin)))
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('a sign-in that began before the PIN was used cannot use it again', async () => {
  const { linked_device_id, pin } = await linkedDevice()
  const { site_id, _id: app_id } = api.channel.app
  const second = await api.database.transaction(async (tx) => {
    await tx`select now()`
    await signInWith(linked_device_id, pin)
    return redeemPin(tx, api.parts.sealer, { site_id, app_id, linked_device_id, pin, ip: '127.0.0.1' })
  })
  assert.equal(second, undefined)
})

test('when two consumers link a PIN at once, one succeeds', async () => {
  const rival = await api.channel.consumer()
  const { pin } = api.as('app')
  for (let round = 0; round < 5; round += 1) {
    const { pin: code } = await pin.acquire({ linked_device_id: newDevice() })
    const tries = await Promise.allSettled(
      [viewer, rival].map((consumer) => asViewer(api.url, consumer).pin.link({ pin: code ?? '' })),
    )
    assert.deepEqual(tries.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  }
})

test('a consumer gets one mail about a new device, even if it is linked repeatedly', async () => {
  const { _id: consumer_id, email } = await api.channel.consumer()
  const { pin } = await linkedDevice(api.channel, consumer_id)
  for (let repeat = 0; repeat < 3; repeat += 1) await api.as('app').pin.link({ consumer_id, pin })
  const told = await api.database.db<{ payload: object }[]>`
    select payload from graphile_worker._private_jobs where payload->>'email' = ${email}
  `
  const site_id = api.channel.channel._id
  const mail = { site_id, consumer_id, email, purpose: 'device_linked', app_title: api.channel.app.title }
  assert.deepEqual(
    told.map(({ payload }) => payload),
    [mail],
  )
})

test('a PIN that is not linked yet cannot sign in and stays valid', async () => {
  const linked_device_id = newDevice()
  const { pin } = api.as('app')
  const { pin: code } = await pin.acquire({ linked_device_id })
  for (let asked = 0; asked < 6; asked += 1)
    await assert.rejects(signInWith(linked_device_id, code ?? ''), refused)
  await pin.link({ consumer_id: viewer._id, pin: code ?? '' })
  await signInWith(linked_device_id, code ?? '')
})

test('five wrong attempts end a PIN; four do not', async () => {
  const spared = await linkedDevice()
  const burnt = await linkedDevice()
  for (let wrong = 0; wrong < 5; wrong += 1) {
    await assert.rejects(signInWith(burnt.linked_device_id, `wrong2${wrong + 2}`), refused)
    if (wrong < 4) await assert.rejects(signInWith(spared.linked_device_id, `wrong2${wrong + 2}`), refused)
  }
  await assert.rejects(signInWith(burnt.linked_device_id, burnt.pin), refused)
  await signInWith(spared.linked_device_id, spared.pin)
  const fresh = await api.as('app').pin.acquire({ linked_device_id: burnt.linked_device_id })
  assert.equal(fresh.linked, false, 'a device that has never signed in is linked anew')
  await api.as('app').pin.link({ consumer_id: viewer._id, pin: fresh.pin ?? '' })
  await signInWith(burnt.linked_device_id, fresh.pin ?? '')
})

test('an expired linked PIN cannot sign in; linking leaves at least five minutes', async () => {
  const { pin } = api.as('app')
  const linked_device_id = newDevice()
  const { pin: code } = await pin.acquire({ linked_device_id })
  const { db } = api.database
  const ends = (seconds: number) => db`
    update linked_devices set pin_expiration = now() + make_interval(secs => ${seconds})
    where linked_device_id = ${linked_device_id}
  `
  await ends(2)
  const linked = await pin.link({ consumer_id: viewer._id, pin: code ?? '' })
  assert.ok(Date.parse(linked.pin_expiration ?? '') - Date.now() > 290_000)
  await ends(-1)
  await assert.rejects(signInWith(linked_device_id, code ?? ''), refused)
})

test('a linked device gets a PIN to sign in again, unless its app forbids it', async () => {
  const { apps } = api.as('admin')
  const { linked_device_id, pin: first } = await linkedDevice()
  await signInWith(linked_device_id, first)
  const { pin } = api.as('app')
  const renewed = await pin.acquire({ linked_device_id })
  assert.equal(renewed.linked, true)
  assert.notEqual(renewed.pin, first)
  await signInWith(linked_device_id, renewed.pin ?? '')

  await apps.update(api.channel.app._id, { device_renewal: 'never' })
  const last = await pin.acquire({ linked_device_id })
  assert.deepEqual([last.linked, last.consumer_id], [false, null])
  await assert.rejects(signInWith(linked_device_id, last.pin ?? ''), { code: 'invalid_grant' })
  const fresh = await pin.acquire({ linked_device_id: newDevice() })
  assert.match(fresh.pin ?? '', /^\w{7}$/)
  await apps.update(api.channel.app._id, { device_renewal: 'same_network' })
})

test('devices and PINs of another channel or app are not found', async () => {
  const linked_device_id = newDevice()
  const { pin: code } = await api.as('app').pin.acquire({ linked_device_id })
  const theirs = api.other.as('app').pin
  await assert.rejects(theirs.status({ linked_device_id }), unknown)
  const foreigner = await api.other.consumer()
  await assert.rejects(theirs.link({ consumer_id: foreigner._id, pin: code ?? '' }), unknown)
  const mine = { consumer_id: foreigner._id, pin: code ?? '' }
  await assert.rejects(api.as('app').pin.link(mine), { status: 404, message: 'Consumer not found' })
  const same = await theirs.acquire({ linked_device_id })
  assert.notEqual(same.pin, code)

  const { app_key } = await api.as('admin').apps.create({ title: 'Neighbour' })
  const seen = await ask(`${api.url}/pin/status?app_key=${app_key}&linked_device_id=${linked_device_id}`)
  assert.deepEqual([seen.status, seen.body.message], [404, 'Invalid Device Pin.'])
  assert.equal((await api.as('admin').pin.status({ linked_device_id })).pin, code)
})

test('removing a consumer removes their devices and sessions', async () => {
  const gone = await api.channel.consumer()
  const { linked_device_id, pin } = await linkedDevice(api.channel, gone._id)
  const { access_token } = await signInWith(linked_device_id, pin)
  await api.as('admin').consumers.remove(gone._id)
  assert.equal((await ask(`${api.url}/videos?access_token=${access_token}`)).status, 401)
  await assert.rejects(api.as('app').pin.status({ linked_device_id }), unknown)
})

/** Repeats the call until its status differs, at most `most` times. */
async function firstOther(status: number, most: number, call: () => ReturnType<typeof ask>) {
  for (let count = 1; count <= most; count += 1) {
    const reply = await call()
    if (reply.status !== status) return { count, reply }
  }
  throw new Error(`${most} calls were all answered ${status}`)
}

test('guessing PINs and devices is limited, with the time to wait', async () => {
  const { app_key } = api.channel
  const guess = () =>
    ask(`${api.url}/pin/link?app_key=${app_key}&consumer_id=${viewer._id}&pin=aaaaaaa`, 'json', {
      method: 'PUT',
    })
  const linked = await firstOther(404, 30, guess)
  assert.deepEqual([linked.count, linked.reply.status], [21, 429])
  assert.match(linked.reply.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(linked.reply.body.message, /^Too many attempts\. Try again in \d+ \w+\.$/)

  const look = () => ask(`${api.url}/pin/status?app_key=${app_key}&linked_device_id=${newDevice()}`)
  const seen = await firstOther(404, 120, look)
  assert.deepEqual([seen.count, seen.reply.status], [101, 429])
  const server = api.as('admin').pin
  const { linked_device_id, pin } = await server.acquire({ linked_device_id: newDevice() })
  assert.equal((await server.link({ consumer_id: viewer._id, pin: pin ?? '' })).linked, true)
  assert.equal((await server.status({ linked_device_id })).linked, true)

  await forgetAttempts()
  for (let wrong = 0; wrong < 25; wrong += 1) {
    const { linked_device_id } = await linkedDevice()
    assert.equal((await api.as('app').pin.status({ linked_device_id })).linked, true)
  }
})
