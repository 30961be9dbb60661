import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi, type TestConsumer } from '../support/api.js'
import {
  appAt,
  basicOf,
  clientOf,
  info,
  passwordOf,
  post,
  reads,
  refreshOf,
  send,
  ways,
} from './oauth-requests.js'

let api: TestApi
let viewer: TestConsumer
let baseUrl: string
let authUrl: string
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
  baseUrl = api.url
  authUrl = api.url.replace('127.0.0.1', 'localhost')
})
after(() => api.stop())

const signIn = async () => (await appAt(authUrl, api.channel.app).token(passwordOf(viewer))).body
const renew = (parameters: Record<string, string>) => appAt(baseUrl, api.channel.app).token(parameters)

test('4.2: "GET {auth_url}/oauth/token/info", on both addresses, with and without a trailing slash', async () => {
  const { access_token } = viewer
  for (const address of [authUrl, baseUrl])
    for (const path of ['/oauth/token/info', '/oauth/token/info/', '/oauth/token/info.json'])
      assert.equal((await send(`${address}${path}?access_token=${access_token}`)).status, 200)
})

test('4.2: "GET" and no other verb', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, headers } = await send(
      `${authUrl}/oauth/token/info?access_token=${viewer.access_token}`,
      {
        method,
      },
    )
    assert.deepEqual([method, status, headers.get('allow')], [method, 405, 'GET'])
  }
})

test('4.2: "Parameter: access_token (string, required)"', async () => {
  const without = await send(`${authUrl}/oauth/token/info`)
  assert.deepEqual([without.status, without.body.error], [401, 'invalid_token'])
  assert.match(without.headers.get('www-authenticate') ?? '', /^Bearer /)
})

test('4.2: the token may be sent as Bearer instead, and not both ways at once', async () => {
  const headers = { authorization: `Bearer ${viewer.access_token}` }
  assert.equal((await send(`${authUrl}/oauth/token/info`, { headers })).status, 200)
  const twice = await send(`${authUrl}/oauth/token/info?access_token=${viewer.access_token}`, { headers })
  assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_request'])
})

test('4.2: "the token created via OAuth": no other text, and no refresh token', async () => {
  const others = ['0'.repeat(64), viewer.refresh_token, api.channel.app_key, api.channel.keys.admin]
  for (const other of others) {
    const { status, body } = await info(authUrl, other)
    assert.deepEqual([status, body.error], [401, 'invalid_token'])
    assert.ok(body.message && body.message === body.error_description)
  }
})

test('4.2: "Response body: not shown": it tells whose token it is, for what, and for how long', async () => {
  const { access_token, created_at } = await signIn()
  const { headers, body } = await info(authUrl, access_token)
  const { expires_in, ...facts } = body as typeof body & { expires_in_seconds: number }
  assert.ok(expires_in > 604_780 && expires_in <= 604_800)
  assert.deepEqual(facts, {
    resource_owner_id: viewer._id,
    scope: ['consumer'],
    scopes: ['consumer'],
    expires_in_seconds: expires_in,
    application: { uid: api.channel.app.client_id },
    created_at,
  })
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('4.2: the status is there in XML as well', async () => {
  const { access_token } = viewer
  const { text } = await send(`${authUrl}/oauth/token/info.xml?access_token=${access_token}`)
  assert.match(
    text,
    new RegExp(`<result><resource_owner_id>${viewer._id}</resource_owner_id><scope type="array">`),
  )
})

for (const way of ways)
  test(`4.3: "POST {base_url}/oauth/token" as ${way}, on both addresses`, async () => {
    for (const address of [baseUrl, authUrl]) {
      const { refresh_token } = await signIn()
      const parameters = { ...clientOf(api.channel.app), ...refreshOf(refresh_token) }
      const { status } = await post(`${address}/oauth/token`, parameters, { way })
      assert.equal(status, 200)
    }
  })

test('4.3: client_id, required: "Client ID of the application"', async () => {
  const { client_secret } = api.channel.app
  const { refresh_token } = await signIn()
  const { status, body } = await post(`${baseUrl}/oauth/token`, {
    client_secret,
    ...refreshOf(refresh_token),
  })
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
})

test('4.3: client_secret, required: "Client secret of the application"', async () => {
  const { client_id } = api.channel.app
  const { refresh_token } = await signIn()
  const { status, body } = await post(`${baseUrl}/oauth/token`, { client_id, ...refreshOf(refresh_token) })
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
})

test('4.3: both may come by HTTP Basic', async () => {
  const { refresh_token } = await signIn()
  const headers = basicOf(api.channel.app)
  assert.equal((await post(`${baseUrl}/oauth/token`, refreshOf(refresh_token), { headers })).status, 200)
})

test('4.3: refresh_token: "The refresh token returned when the access token was created"', async () => {
  const { access_token, refresh_token } = await signIn()
  const without = await renew({ grant_type: 'refresh_token' })
  assert.deepEqual([without.status, without.body.error], [400, 'invalid_request'])
  for (const wrong of [access_token, '0'.repeat(64)]) {
    const { status, body } = await renew(refreshOf(wrong))
    assert.deepEqual([status, body.error], [401, 'invalid_grant'])
  }
  assert.equal((await renew(refreshOf(refresh_token))).status, 200)
})

test('4.3: grant_type: "Must be refresh_token"', async () => {
  const { refresh_token } = await signIn()
  assert.equal((await renew({ refresh_token })).body.error, 'invalid_request')
  assert.equal((await renew({ refresh_token, grant_type: 'refresh' })).body.error, 'unsupported_grant_type')
  assert.equal((await renew({ refresh_token, grant_type: 'password' })).body.error, 'invalid_request')
})

test('4.3: "Returns: an access token object (2.1)": a new one, and the old one is over', async () => {
  const old = await signIn()
  const { body, headers } = await renew(refreshOf(old.refresh_token))
  assert.deepEqual(Object.keys(body), Object.keys(old))
  assert.deepEqual([body.token_type, body.expires_in, body.scope], ['bearer', 604_800, 'consumer'])
  assert.match(body.access_token, /^[0-9a-f]{64}$/)
  assert.match(body.refresh_token, /^[0-9a-f]{64}$/)
  const all = [old.access_token, old.refresh_token, body.access_token, body.refresh_token]
  assert.equal(new Set(all).size, 4)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(
    [await reads(baseUrl, old.access_token), await reads(baseUrl, body.access_token)],
    [401, 200],
  )
})

test('5.2: "Each application has its own client ID and client secret, provided when the application is created"', async () => {
  const { apps } = api.as('admin')
  const [web, roku] = [await apps.create({ title: 'Web' }), await apps.create({ title: 'Roku' })]
  assert.equal(new Set([web.client_id, web.client_secret, roku.client_id, roku.client_secret]).size, 4)
  for (const app of [web, roku])
    assert.equal((await appAt(authUrl, app).token(passwordOf(viewer))).status, 200)
  const mixed = { client_id: web.client_id, client_secret: roku.client_secret }
  assert.equal((await appAt(authUrl, mixed).token(passwordOf(viewer))).body.error, 'invalid_client')
})

test('5.2: "A consumer obtains an access token with the password grant (4.1), using grant_type=password"', async () => {
  const { access_token } = await signIn()
  const { body } = await info(authUrl, access_token)
  assert.equal((body as unknown as { resource_owner_id: string }).resource_owner_id, viewer._id)
})

test('5.2: "The token is used on API requests as the access_token query parameter"', async () => {
  const { access_token } = viewer
  const own = await fetch(`${baseUrl}/consumers/${viewer._id}?access_token=${access_token}`)
  assert.equal(((await own.json()) as { response: { email: string } }).response.email, viewer.email)
  assert.equal(await reads(baseUrl, access_token), 200)
})

test('5.2: "When it is renewed (4.3), grant_type=refresh_token is used with the refresh token"', async () => {
  const { refresh_token } = await signIn()
  const { body } = await renew({ grant_type: 'refresh_token', refresh_token })
  assert.equal(await reads(baseUrl, body.access_token), 200)
})

test('5.2: "Token status is read with 4.2"', async () => {
  const { access_token } = await signIn()
  assert.equal((await info(authUrl, access_token)).status, 200)
})

test('5.2: "Not all APIs are available with consumer access tokens"', async () => {
  const { access_token } = viewer
  for (const path of ['/apps', '/account', '/consumers'])
    assert.equal((await fetch(`${baseUrl}${path}?access_token=${access_token}`)).status, 403)
  const made = await fetch(`${baseUrl}/videos?access_token=${access_token}&title=No`, { method: 'POST' })
  assert.equal(made.status, 403)
})
