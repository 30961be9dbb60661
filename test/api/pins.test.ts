import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { signInDevice } from '@zoetrope/sdk'
import { formats, startOwnApi, type TestApi, type TestConsumer } from '../support/api.js'
import { ask } from './ask.js'
import { asViewer, clientOf } from './viewers.js'

let api: TestApi
let viewer: TestConsumer
let stranger: TestConsumer
before(async () => {
  api = await startOwnApi()
  viewer = await api.channel.consumer()
  stranger = await api.channel.consumer()
})
beforeEach(() => api.database.db`truncate attempts`)
after(() => api.stop())

const newDevice = () => `tv-${randomBytes(12).toString('hex')}`
const unknown = { status: 404, message: 'Invalid Device Pin.' }
const signInWith = (linkedDeviceId: string, pin: string | null) =>
  signInDevice({ ...clientOf(api), linkedDeviceId, pin: pin ?? '' })

/** Makes the PIN of a device expire. */
const expire = (device: string) => api.database.db`
  update linked_devices set pin_expiration = now() - interval '1 second' where linked_device_id = ${device}
`

for (const format of formats) {
  test(`a device gets a PIN, is linked, signs in and is unlinked (${format})`, async () => {
    const { pin } = api.as('app', format)
    const linked_device_id = newDevice()
    const asked = Date.now()
    const acquired = await pin.acquire({ linked_device_id, type: 'Roku <3>' })
    assert.match(acquired.pin ?? '', /^[a-hjkmnp-z2-9]{7}$/)
    const lives = Date.parse(acquired.pin_expiration ?? '') - asked
    assert.ok(lives > 890_000 && lives < 910_000, `lives ${lives} ms`)
    assert.deepEqual(acquired, {
      _id: acquired._id,
      site_id: api.channel.channel._id,
      created_at: acquired.created_at,
      updated_at: acquired.updated_at,
      linked_device_id,
      pin: acquired.pin,
      pin_expiration: acquired.pin_expiration,
      linked: false,
      consumer_id: null,
      subscription_count: 0,
      device_id: null,
      type: 'Roku <3>',
      deleted_at: null,
    })
    assert.deepEqual(await pin.status({ linked_device_id }), acquired)
    const again = await pin.acquire({ linked_device_id })
    assert.deepEqual(again, { ...acquired, updated_at: again.updated_at })

    const given = { consumer_id: viewer._id, pin: acquired.pin ?? '' }
    const linked = await pin.link(given)
    assert.deepEqual([linked.linked, linked.consumer_id, linked._id], [true, viewer._id, acquired._id])
    assert.deepEqual(await pin.status({ linked_device_id }), linked)
    const { access_token } = await signInWith(linked_device_id, acquired.pin)
    const { consumers } = asViewer(api.url, { access_token }, format)
    assert.equal((await consumers.get(viewer._id))._id, viewer._id)

    const unlinked = await pin.unlink(given)
    assert.deepEqual([unlinked.linked, unlinked.consumer_id], [false, null])
    await assert.rejects(consumers.get(viewer._id), { status: 401 })
    const { linked: still, pin: shown } = await pin.status({ linked_device_id })
    assert.deepEqual([still, shown], [false, null])
    await assert.rejects(pin.unlink(given), unknown)
    await assert.rejects(pin.link(given), unknown)
    assert.notEqual((await pin.acquire({ linked_device_id })).pin, acquired.pin)
  })

  test(`unknown devices, unknown PINs and missing fields get different errors (${format})`, async () => {
    const { pin } = api.as('app', format)
    await assert.rejects(pin.status({ linked_device_id: newDevice() }), unknown)
    for (const consumer_id of [viewer._id, stranger._id])
      for (const wrong of ['aaaaaaa', '!', '0'.repeat(40)]) {
        await assert.rejects(pin.link({ consumer_id, pin: wrong }), unknown)
        await assert.rejects(pin.unlink({ consumer_id, pin: wrong }), unknown)
      }
    await assert.rejects(pin.acquire({} as never), { errors: { linked_device_id: ['is required'] } })
    await assert.rejects(pin.status({} as never), { errors: { linked_device_id: ['is required'] } })
    await assert.rejects(pin.acquire({ linked_device_id: 'x'.repeat(201) }), {
      errors: { linked_device_id: ['must be at most 200 characters long'] },
    })
    await assert.rejects(pin.link({ consumer_id: viewer._id } as never), { errors: { pin: ['is required'] } })
    const { pin: living } = await pin.acquire({ linked_device_id: newDevice() })
    await assert.rejects(pin.link({ pin: living ?? '' }), { errors: { consumer_id: ['is required'] } })
    const nobody = { consumer_id: 'f'.repeat(24), pin: living ?? '' }
    await assert.rejects(pin.link(nobody), { status: 404, message: 'Consumer not found' })
  })

  test(`an access token links and unlinks its own consumer, and no other (${format})`, async () => {
    const linked_device_id = newDevice()
    const acquired = await api.as('app', format).pin.acquire({ linked_device_id })
    const { pin } = asViewer(api.url, viewer, format)
    const code = acquired.pin ?? ''
    const missing = { status: 404, message: 'Consumer not found' }
    await assert.rejects(pin.link({ consumer_id: stranger._id, pin: code }), missing)
    assert.equal((await pin.link({ pin: code })).consumer_id, viewer._id)
    assert.equal((await pin.link({ pin: code, consumer_id: viewer._id })).consumer_id, viewer._id)
    await assert.rejects(asViewer(api.url, stranger, format).pin.link({ pin: code }), unknown)
    await assert.rejects(asViewer(api.url, stranger, format).pin.unlink({ pin: code }), unknown)
    await assert.rejects(pin.acquire({ linked_device_id }), { status: 403 })
    await assert.rejects(pin.status({ linked_device_id }), { status: 403 })
    assert.equal((await pin.unlink({ pin: code })).linked, false)
  })

  test(`the devices of a consumer are listed and removed by the admin key and the consumer (${format})`, async () => {
    const { _id: consumer_id, access_token } = await api.channel.consumer()
    const { pin } = api.as('app', format)
    const devices = [newDevice(), newDevice()]
    const tokens: string[] = []
    for (const linked_device_id of devices) {
      const acquired = await pin.acquire({ linked_device_id, type: 'Fire TV' })
      await pin.link({ consumer_id, pin: acquired.pin ?? '' })
      tokens.push((await signInWith(linked_device_id, acquired.pin)).access_token)
    }
    const admin = api.as('admin', format).linked_devices
    const own = asViewer(api.url, { access_token }, format).linked_devices
    const { response } = await admin.list(consumer_id)
    assert.deepEqual((await own.list(consumer_id)).response, response)
    const [second, first] = response
    assert.ok(first && second)
    assert.deepEqual(first, {
      _id: first._id,
      site_id: api.channel.channel._id,
      created_at: first.created_at,
      updated_at: first.updated_at,
      consumer_id,
      app_id: api.channel.app._id,
      linked_device_id: devices[0],
      type: 'Fire TV',
      asked_from: '127.0.0.1',
      linked_at: first.linked_at,
    })
    assert.ok(Date.now() - Date.parse(first.linked_at ?? '') < 60_000)
    assert.deepEqual(await own.get(consumer_id, first._id), first)

    const missing = { status: 404 }
    await assert.rejects(asViewer(api.url, viewer, format).linked_devices.list(consumer_id), missing)
    await assert.rejects(
      asViewer(api.url, viewer, format).linked_devices.remove(viewer._id, first._id),
      missing,
    )
    await assert.rejects(admin.get(viewer._id, first._id), missing)
    await assert.rejects(api.other.as('admin', format).linked_devices.list(consumer_id), missing)
    await assert.rejects(api.as('app', format).linked_devices.list(consumer_id), { status: 403 })

    await own.remove(consumer_id, first._id)
    await admin.remove(consumer_id, second._id)
    assert.deepEqual((await own.list(consumer_id)).response, [])
    for (const token of tokens)
      assert.equal((await ask(`${api.url}/videos?access_token=${token}`)).status, 401)
    await assert.rejects(pin.status({ linked_device_id: devices[0] ?? '' }), unknown)
  })
}

test('the four calls take a query string, a form, JSON or XML', async () => {
  const { app_key } = api.channel
  const json = { 'content-type': 'application/json' }
  const ways: Record<string, (fields: Record<string, string>) => [query: string, init: RequestInit]> = {
    query: (fields) => [String(new URLSearchParams({ ...fields, app_key })), { headers: json }],
    form: (fields) => ['', { body: new URLSearchParams({ ...fields, app_key }) }],
    json: (fields) => ['', { headers: json, body: JSON.stringify({ ...fields, app_key }) }],
    wrapped: (fields) => [`app_key=${app_key}`, { headers: json, body: JSON.stringify({ pin: fields }) }],
    xml: (fields) => [
      `app_key=${app_key}`,
      {
        headers: { 'content-type': 'text/xml' },
        body: `<pin>${Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`)}</pin>`.replaceAll(
          ',',
          '',
        ),
      },
    ],
  }
  for (const [name, way] of Object.entries(ways)) {
    const linked_device_id = newDevice()
    const call = (path: string, method: string, fields: Record<string, string>) => {
      const [query, init] = way(fields)
      return ask(`${api.url}/pin/${path}?${query}`, 'json', { method, ...init })
    }
    const acquired = await call('acquire', 'POST', { linked_device_id })
    assert.equal(acquired.status, 201, `${name}: ${acquired.text}`)
    const status = await ask(`${api.url}/pin/status?app_key=${app_key}&linked_device_id=${linked_device_id}`)
    assert.deepEqual([status.status, status.body], [200, acquired.body])
    const given = { consumer_id: viewer._id, pin: String(acquired.body.response.pin) }
    assert.equal((await call('link', 'PUT', given)).status, 200, name)
    assert.equal((await call('unlink', 'PUT', given)).status, 200, name)
    assert.equal((await call('unlink', 'PUT', given)).body.message, 'Invalid Device Pin.', name)
  }
})

test('a PIN is accepted in any spelling, and never stored in plain text', async () => {
  const { pin } = api.as('app')
  const linked_device_id = newDevice()
  const { pin: code = '' } = await pin.acquire({ linked_device_id })
  const typed = ` ${code?.slice(0, 3).toUpperCase()}-${code?.slice(3)} `
  await pin.link({ consumer_id: viewer._id, pin: typed })
  const { db } = api.database
  const rows = await db<{ row: string }[]>`
    select t::text as row from linked_devices as t where linked_device_id = ${linked_device_id}
    union all select payload::text from graphile_worker._private_jobs
  `
  for (const { row } of rows)
    for (const form of ['utf8', 'hex', 'base64'] as const)
      assert.ok(!row.includes(Buffer.from(code ?? '').toString(form)), 'the PIN is in the database')
  await signInWith(linked_device_id, typed.toUpperCase())
})

test('a PIN that has expired links nothing, and its device gets a new one', async () => {
  const { pin } = api.as('app')
  const linked_device_id = newDevice()
  const old = await pin.acquire({ linked_device_id })
  await expire(linked_device_id)
  const given = { consumer_id: viewer._id, pin: old.pin ?? '' }
  await assert.rejects(pin.link(given), unknown)
  assert.equal((await pin.status({ linked_device_id })).pin, null)
  const fresh = await pin.acquire({ linked_device_id })
  assert.equal(fresh._id, old._id)
  assert.notEqual(fresh.pin, old.pin)
  await assert.rejects(pin.link(given), unknown)
})
