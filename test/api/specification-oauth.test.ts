import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi, type TestConsumer } from '../support/api.js'
import {
  appAt,
  basicOf,
  clientOf,
  linkDevice,
  passwordOf,
  post,
  refreshOf,
  send,
  ways,
} from './oauth-requests.js'

let api: TestApi
let viewer: TestConsumer
/** The URL of the API, and the login URL: another name of the same server. */
let baseUrl: string
let authUrl: string
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
  baseUrl = api.url
  authUrl = api.url.replace('127.0.0.1', 'localhost')
})
after(() => api.stop())

const ask = (parameters: Record<string, string>) => appAt(authUrl, api.channel.app).token(parameters)

const isTokenObject = (body: object) => {
  const { access_token, refresh_token, expires_in, created_at, ...rest } = body as Record<string, unknown>
  assert.match(String(access_token), /^[0-9a-f]{64}$/)
  assert.match(String(refresh_token), /^[0-9a-f]{64}$/)
  assert.equal(expires_in, 604_800)
  assert.ok(Math.abs(Number(created_at) - Date.now() / 1000) < 10)
  assert.deepEqual(rest, { token_type: 'bearer', scope: 'consumer' })
}

test('2.1: access_token, string: "The token, passed later as the access_token parameter"', async () => {
  const { body } = await ask(passwordOf(viewer))
  assert.equal(typeof body.access_token, 'string')
  assert.equal((await fetch(`${baseUrl}/videos?access_token=${body.access_token}`)).status, 200)
})

test('2.1: token_type, string: "Value: bearer"', async () => {
  const { body } = await ask(passwordOf(viewer))
  assert.equal(body.token_type, 'bearer')
})

test('2.1: expires_in, integer: "Lifetime of the token; unit: not shown" (it is seconds)', async () => {
  const { body } = await ask(passwordOf(viewer))
  assert.equal(body.expires_in, 604_800)
  const [row] = await api.database.db<{ seconds: number }[]>`
    select extract(epoch from expires_at - now())::float as seconds from token_pairs
    where access_digest = ${api.parts.sealer.digest(body.access_token)}
  `
  assert.ok(row && Math.abs(row.seconds - 604_800) < 10)
})

test('2.1: refresh_token, string: "Used to obtain a new access token"', async () => {
  const { body } = await ask(passwordOf(viewer))
  const renewed = await ask(refreshOf(body.refresh_token))
  assert.equal(renewed.status, 200)
  assert.notEqual(renewed.body.access_token, body.access_token)
})

test('2.1: scope, string: "Allowed values: not shown (a sample carries public)"', async () => {
  assert.equal((await ask(passwordOf(viewer))).body.scope, 'consumer')
  assert.equal((await ask({ ...passwordOf(viewer), scope: 'public' })).body.scope, 'public')
})

test('4.1: "POST {auth_url}/oauth/token", on the API and the login address, with and without a trailing slash', async () => {
  const parameters = { ...clientOf(api.channel.app), ...passwordOf(viewer) }
  for (const address of [authUrl, baseUrl])
    for (const path of ['/oauth/token', '/oauth/token/']) {
      const { status, body } = await post(`${address}${path}`, parameters)
      assert.equal(status, 200)
      isTokenObject(body)
    }
})

test('4.1: "POST" and no other verb', async () => {
  const query = new URLSearchParams({ ...clientOf(api.channel.app), ...passwordOf(viewer) })
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const { status, headers } = await send(`${authUrl}/oauth/token?${query}`, { method })
    assert.deepEqual([method, status, headers.get('allow')], [method, 405, 'POST'])
  }
})

for (const way of ways) {
  test(`4.1: "Encoding of the request body (form or JSON): not shown": username with password as ${way}`, async () => {
    const parameters = { ...clientOf(api.channel.app), ...passwordOf(viewer) }
    const { status, body } = await post(`${authUrl}/oauth/token`, parameters, { way })
    assert.equal(status, 200)
    isTokenObject(body)
  })

  test(`4.1: "Encoding of the request body (form or JSON): not shown": linked_device_id with pin as ${way}`, async () => {
    const device = await linkDevice(api, viewer._id)
    const parameters = { ...clientOf(api.channel.app), grant_type: 'password', ...device }
    const { status, body } = await post(`${authUrl}/oauth/token`, parameters, { way })
    assert.equal(status, 200)
    isTokenObject(body)
  })

  test(`4.1: the client may authenticate by HTTP Basic instead, with the rest as ${way}`, async () => {
    const headers = basicOf(api.channel.app)
    const { status, body } = await post(`${authUrl}/oauth/token`, passwordOf(viewer), { way, headers })
    assert.equal(status, 200)
    isTokenObject(body)
  })
}

test('4.1: the parameters may also come as multipart and as XML', async () => {
  const parameters = { ...clientOf(api.channel.app), ...passwordOf(viewer) }
  const form = new FormData()
  for (const [name, value] of Object.entries(parameters)) form.append(name, value)
  isTokenObject((await send(`${authUrl}/oauth/token`, { method: 'POST', body: form })).body)

  const elements = Object.entries(parameters).map(([name, value]) => `<${name}>${value}</${name}>`)
  const { text, body } = await send(`${authUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: `<request>${elements.join('')}</request>`,
  })
  assert.match(text, /^<\?xml [^>]*\?><result><access_token>[0-9a-f]{64}<\/access_token>/)
  isTokenObject(body)
})

test('4.1: client_id, required: "Client ID of the application"', async () => {
  const { client_secret } = api.channel.app
  const { status, body } = await post(`${authUrl}/oauth/token`, { client_secret, ...passwordOf(viewer) })
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
  assert.equal((await ask({ ...passwordOf(viewer), client_id: api.other.app.client_id })).status, 401)
})

test('4.1: client_secret, required: "Client secret of the application"', async () => {
  const { client_id } = api.channel.app
  const { status, body } = await post(`${authUrl}/oauth/token`, { client_id, ...passwordOf(viewer) })
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
  assert.equal((await ask({ ...passwordOf(viewer), client_secret: api.other.app.client_secret })).status, 401)
})

test('4.1: grant_type, required: "Must be password"', async () => {
  const { grant_type: _, ...withoutGrant } = passwordOf(viewer)
  assert.deepEqual((await ask(withoutGrant)).body.error, 'invalid_request')
  const other = await ask({ ...passwordOf(viewer), grant_type: 'passwords' })
  assert.deepEqual([other.status, other.body.error], [400, 'unsupported_grant_type'])
})

test('4.1: username: "The consumer\'s username, which is an e-mail address"', async () => {
  assert.equal((await ask(passwordOf(viewer))).status, 200)
  const typed = { ...viewer, email: ` ${viewer.email.toUpperCase()} ` }
  assert.equal((await ask(passwordOf(typed))).status, 200)
  assert.equal((await ask(passwordOf({ ...viewer, email: viewer._id }))).status, 401)
})

test('4.1: username: "When used, password is required"', async () => {
  const { status, body } = await ask({ grant_type: 'password', username: viewer.email })
  assert.deepEqual([status, body.error], [400, 'invalid_request'])
  assert.equal(body.message, 'With username the parameter password is required.')
})

test('4.1: password: "The consumer\'s password. Required when username is used"', async () => {
  assert.equal((await ask({ ...passwordOf(viewer), password: '' })).status, 400)
  const wrong = await ask(passwordOf({ ...viewer, password: `${viewer.password} not` }))
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_grant'])
})

test('4.1: linked_device_id: "Linked device ID of the consumer. When used, pin is required"', async () => {
  const { linked_device_id, pin } = await linkDevice(api, viewer._id)
  const without = await ask({ grant_type: 'password', linked_device_id })
  assert.deepEqual([without.status, without.body.error], [400, 'invalid_request'])
  assert.equal(without.body.message, 'With linked_device_id the parameter pin is required.')
  const other = await ask({ grant_type: 'password', linked_device_id: 'another device', pin })
  assert.deepEqual([other.status, other.body.error], [401, 'invalid_grant'])
  assert.equal((await ask({ grant_type: 'password', linked_device_id, pin })).status, 200)
})

test('4.1: pin: "PIN of the linked device. Required when linked_device_id is used"', async () => {
  const { linked_device_id, pin } = await linkDevice(api, viewer._id)
  const { pin: another } = await linkDevice(api, viewer._id)
  const wrong = await ask({ grant_type: 'password', linked_device_id, pin: another })
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_grant'])
  const spaced = `${pin.slice(0, 3)}-${pin.slice(3)}`.toUpperCase()
  assert.equal((await ask({ grant_type: 'password', linked_device_id, pin: spaced })).status, 200)
})

test('4.1: "Two ways to authenticate the consumer": one of them has to be used', async () => {
  const neither = await ask({ grant_type: 'password' })
  assert.deepEqual([neither.status, neither.body.error], [400, 'invalid_request'])
  const halves = await ask({ grant_type: 'password', username: viewer.email, pin: 'zizm529' })
  assert.deepEqual([halves.status, halves.body.error], [400, 'invalid_request'])
})

test('4.1: "Returns: an access token object (2.1)", for either way, and it is not cacheable', async () => {
  const device = await linkDevice(api, viewer._id)
  for (const parameters of [passwordOf(viewer), { grant_type: 'password', ...device }]) {
    const { status, headers, body } = await ask(parameters)
    assert.equal(status, 200)
    isTokenObject(body)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('pragma'), 'no-cache')
  }
})
