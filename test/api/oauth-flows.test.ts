import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { note } from '../support/secrets.js'
import { ask } from './ask.js'
import { appAt, info, passwordOf, refreshOf } from './oauth-requests.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

for (const format of formats)
  test(`a TV: PIN on the screen, linked elsewhere, token, videos, renewal, unlinked (${format})`, async () => {
    const { app, app_key } = api.channel
    const tv = appAt(api.url, app)
    const viewer = await api.channel.consumer()
    await api.as('admin').videos.create({ title: `The big film, in ${format}` })
    const pinCall = async (method: string, path: string, query: Record<string, string>) => {
      const parameters = new URLSearchParams({ app_key, ...query })
      return ask(`${api.url}/pin/${path}?${parameters}`, format, { method })
    }

    // (1) The TV creates an id and acquires a PIN. A second request returns the same PIN.
    const linked_device_id = randomUUID()
    const acquired = await pinCall('POST', 'acquire', { linked_device_id, type: 'roku' })
    assert.equal(acquired.status, 201)
    const pin = String(acquired.body.response.pin)
    assert.match(pin, /^[a-z0-9]{7}$/)
    assert.equal((await pinCall('POST', 'acquire', { linked_device_id })).body.response.pin, pin)

    // (2) It shows the PIN and polls. Until the PIN is linked, it grants nothing.
    const waiting = await pinCall('GET', 'status', { linked_device_id })
    assert.deepEqual([waiting.body.response.linked, waiting.body.response.consumer_id], [false, null])
    const unknown = await pinCall('GET', 'status', { linked_device_id: randomUUID() })
    assert.deepEqual([unknown.status, unknown.body.message], [404, 'Invalid Device Pin.'])
    const device = { grant_type: 'password', linked_device_id, pin }
    assert.equal((await tv.token(device)).body.error, 'invalid_grant')

    // (3) The viewer submits it on another device. (4) The status changes to linked.
    const linking = await pinCall('PUT', 'link', { consumer_id: viewer._id, pin: pin.toUpperCase() })
    assert.equal(linking.status, 200)
    const linked = (await pinCall('GET', 'status', { linked_device_id })).body.response
    assert.deepEqual([linked.linked, linked.consumer_id, linked.subscription_count], [true, viewer._id, 0])

    // (5) It exchanges the id and the PIN for a token, once, and lists videos with it.
    const { status, body: tokens } = await tv.token(device)
    assert.equal(status, 200)
    assert.equal((await tv.token(device)).body.error, 'invalid_grant')
    const list = await ask(`${api.url}/videos?access_token=${tokens.access_token}`, format)
    assert.equal(list.body.response[0]?.title, `The big film, in ${format}`)
    const { body: facts } = await info(api.url, tokens.access_token)
    assert.equal((facts as unknown as { resource_owner_id: string }).resource_owner_id, viewer._id)

    // It refreshes the token. Later it acquires a new PIN, is still linked, and signs in with it.
    const { body: renewed } = await tv.token(refreshOf(tokens.refresh_token))
    assert.equal((await ask(`${api.url}/videos?access_token=${renewed.access_token}`, format)).status, 200)
    const again = (await pinCall('POST', 'acquire', { linked_device_id })).body.response
    assert.deepEqual([again.linked, again.consumer_id], [true, viewer._id])
    assert.notEqual(again.pin, pin)
    const { body: second } = await tv.token({ ...device, pin: String(again.pin) })
    assert.equal((await ask(`${api.url}/videos?access_token=${second.access_token}`, format)).status, 200)

    // (6) Unlinking revokes all tokens of the TV.
    const unlinking = await pinCall('PUT', 'unlink', { consumer_id: viewer._id, pin: String(again.pin) })
    assert.equal(unlinking.body.response.linked, false)
    for (const { access_token, refresh_token } of [renewed, second]) {
      assert.equal((await ask(`${api.url}/videos?access_token=${access_token}`, format)).status, 401)
      assert.equal((await tv.token(refreshOf(refresh_token))).body.error, 'invalid_grant')
    }
    assert.equal((await tv.token({ ...device, pin: String(again.pin) })).body.error, 'invalid_grant')
    assert.equal((await pinCall('GET', 'status', { linked_device_id })).body.response.linked, false)
    assert.equal((await ask(`${api.url}/videos?access_token=${viewer.access_token}`, format)).status, 200)
  })

test('a TV whose app may not renew devices is linked anew before it signs in again', async () => {
  const app = await api.as('admin').apps.create({ title: 'Strict', device_renewal: 'never' })
  const viewer = await api.channel.consumer()
  const linked_device_id = randomUUID()
  const acquire = async () => {
    const { app_key } = app
    const query = new URLSearchParams({ app_key, linked_device_id })
    return (await ask(`${api.url}/pin/acquire?${query}`, 'json', { method: 'POST' })).body.response
  }
  const pin = String((await acquire()).pin)
  await api.as('admin').pin.link({ consumer_id: viewer._id, pin })
  const { token } = appAt(api.url, app)
  assert.equal((await token({ grant_type: 'password', linked_device_id, pin })).status, 200)
  const again = await acquire()
  assert.equal(again.linked, false)
  const second = { grant_type: 'password', linked_device_id, pin: String(again.pin) }
  assert.equal((await token(second)).body.error, 'invalid_grant')
  await api.as('admin').pin.link({ consumer_id: viewer._id, pin: String(again.pin) })
  assert.equal((await token(second)).status, 200)
})

for (const format of formats)
  test(`a phone: signs up, signs in, favourites, new password, signs in, signs out (${format})`, async () => {
    const { app, app_key } = api.channel
    const phone = appAt(api.url, app)
    const video = await api.as('admin').videos.create({ title: 'Kept' })
    const email = `phone-${format}@example.com`
    const password = `first phone password ${format}`
    note(password)

    const signUp = new URLSearchParams({ 'consumer[email]': email, 'consumer[password]': password })
    const made = await ask(`${api.url}/consumers?app_key=${app_key}&${signUp}`, format, { method: 'POST' })
    assert.equal(made.status, 201)
    const own = `${api.url}/consumers/${made.body.response._id}`
    const taken = await ask(`${api.url}/consumers?app_key=${app_key}&${signUp}`, format, { method: 'POST' })
    assert.equal(taken.status, 422)

    const { body: tokens } = await phone.token(passwordOf({ email, password }))
    const bearer = { authorization: `Bearer ${tokens.access_token}` }
    const keep = () =>
      ask(`${own}/video_favorites?video_id=${video._id}`, format, { method: 'POST', headers: bearer })
    const kept = await keep()
    assert.equal(kept.status, 201)
    assert.equal((await keep()).body.response._id, kept.body.response._id)
    const list = await ask(`${own}/video_favorites`, format, { headers: bearer })
    assert.deepEqual(
      list.body.response.map(({ video_id }) => video_id),
      [video._id],
    )
    const removing = `${own}/video_favorites/${kept.body.response._id}?_method=delete`
    assert.equal((await ask(removing, format, { method: 'POST', headers: bearer })).status, 204)
    assert.equal((await ask(`${own}/video_favorites`, format, { headers: bearer })).body.response.length, 0)

    const changed = `second phone password ${format}`
    note(changed)
    const change = new URLSearchParams({
      'consumer[password]': changed,
      'consumer[password_confirmation]': changed,
    })
    assert.equal((await ask(`${own}?${change}`, format, { method: 'PUT', headers: bearer })).status, 200)
    assert.equal((await ask(own, format, { headers: bearer })).status, 401)
    assert.equal((await phone.token(refreshOf(tokens.refresh_token))).body.error, 'invalid_grant')
    assert.equal((await phone.token(passwordOf({ email, password }))).body.error, 'invalid_grant')

    const { body: second } = await phone.token(passwordOf({ email, password: changed }))
    const record = await ask(`${own}?access_token=${second.access_token}`, format)
    assert.deepEqual([record.body.response.email, record.body.response.sign_in_count], [email, 2])
    assert.equal((await phone.revoke(second.refresh_token)).status, 200)
    assert.equal((await ask(`${own}?access_token=${second.access_token}`, format)).status, 401)
    assert.equal((await phone.token(refreshOf(second.refresh_token))).body.error, 'invalid_grant')
  })
