import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startApi, type TestApi } from '../support/api.js'
import { note } from '../support/secrets.js'
import { appAt, basicOf, info, linkDevice, passwordOf, post, reads, refreshOf } from './oauth-requests.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const newApp = (fields: object = {}) => api.as('admin').apps.create({ title: 'An app', ...fields })
const digest = (token: string) => api.parts.sealer.digest(token)
/** A credential lookup is cached for less than a second. */
const untilForgotten = () => delay(950)

test('a token of one app is not refreshed by another', async () => {
  const [viewer, another] = [await api.channel.consumer(), await newApp()]
  for (const app of [another, api.other.app]) {
    const { status, body } = await appAt(api.url, app).token(refreshOf(viewer.refresh_token))
    assert.deepEqual([status, body.error], [401, 'invalid_grant'])
  }
  assert.equal(await reads(api.url, viewer.access_token), 200)
  assert.equal((await appAt(api.url, api.channel.app).token(refreshOf(viewer.refresh_token))).status, 200)
})

test('an app cannot revoke a token of another app, and the response does not reveal it', async () => {
  const [viewer, another] = [await api.channel.consumer(), await newApp()]
  for (const app of [another, api.other.app])
    for (const token of [viewer.access_token, viewer.refresh_token]) {
      const { status, text } = await appAt(api.url, app).revoke(token)
      assert.deepEqual([status, text], [200, '{}'])
    }
  assert.equal(await reads(api.url, viewer.access_token), 200)
})

test('a token is introspected within its channel only', async () => {
  const [viewer, another] = [await api.channel.consumer(), await newApp()]
  assert.equal((await appAt(api.url, another).introspect(viewer.access_token)).body.active, true)
  const { status, body } = await appAt(api.url, api.other.app).introspect(viewer.access_token)
  assert.deepEqual([status, body], [200, { active: false }])
})

test('a consumer of another channel cannot sign in here, with any app', async () => {
  const stranger = await api.other.consumer()
  const { status, body } = await appAt(api.url, api.channel.app).token(passwordOf(stranger))
  assert.deepEqual([status, body.error], [401, 'invalid_grant'])
  const device = await linkDevice(api, (await api.channel.consumer())._id)
  assert.equal((await appAt(api.url, api.other.app).token({ grant_type: 'password', ...device })).status, 401)
})

test('an access token stops when it expires; its refresh token still works', async () => {
  const { access_token, refresh_token } = await api.channel.consumer()
  await api.database.db`
    update token_pairs set expires_at = now() - interval '1 second' where access_digest = ${digest(access_token)}
  `
  assert.equal(await reads(api.url, access_token), 401)
  assert.equal((await info(api.url, access_token)).status, 401)
  const { body } = await appAt(api.url, api.channel.app).introspect(access_token)
  assert.deepEqual(body, { active: false })
  assert.equal((await appAt(api.url, api.channel.app).token(refreshOf(refresh_token))).status, 200)
})

test('an expired session ends with both its tokens', async () => {
  const { _id, access_token, refresh_token } = await api.channel.consumer()
  await api.database
    .db`update sessions set expires_at = now() - interval '1 second' where consumer_id = ${_id}`
  assert.equal(await reads(api.url, access_token), 401)
  assert.equal((await info(api.url, access_token)).status, 401)
  const { status, body } = await appAt(api.url, api.channel.app).token(refreshOf(refresh_token))
  assert.deepEqual([status, body.error], [401, 'invalid_grant'])
  assert.equal((await appAt(api.url, api.channel.app).introspect(refresh_token)).body.active, false)
})

test('an inactive app gets no tokens, and its tokens stop working until it is active again', async () => {
  const [viewer, app] = [await api.channel.consumer(), await newApp()]
  const { apps } = api.as('admin')
  const { token } = appAt(api.url, app)
  const { body: tokens } = await token(passwordOf(viewer))
  assert.equal(await reads(api.url, tokens.access_token), 200)
  await apps.update(app._id, { active: false })
  assert.equal(await reads(api.url, tokens.access_token), 401)
  assert.equal((await info(api.url, tokens.access_token)).status, 401)
  for (const parameters of [passwordOf(viewer), refreshOf(tokens.refresh_token)])
    assert.equal((await token(parameters)).body.error, 'invalid_client')
  await apps.update(app._id, { active: true })
  assert.equal(await reads(api.url, tokens.access_token), 200)
  assert.equal((await token(refreshOf(tokens.refresh_token))).status, 200)
})

test('removing an app ends its tokens, and only its own', async () => {
  const [viewer, app] = [await api.channel.consumer(), await newApp()]
  const { token } = appAt(api.url, app)
  const { body: tokens } = await token(passwordOf(viewer))
  assert.equal(await reads(api.url, tokens.access_token), 200)
  await api.as('admin').apps.remove(app._id)
  assert.equal(await reads(api.url, tokens.access_token), 401)
  assert.equal((await info(api.url, tokens.access_token)).status, 401)
  assert.equal((await token(refreshOf(tokens.refresh_token))).body.error, 'invalid_client')
  assert.equal(await reads(api.url, viewer.access_token), 200)
})

test('removing a consumer ends their tokens at once, and they cannot sign in', async () => {
  const viewer = await api.channel.consumer()
  const device = await linkDevice(api, viewer._id)
  const { token, introspect } = appAt(api.url, api.channel.app)
  assert.equal(await reads(api.url, viewer.access_token), 200)
  await api.as('admin').consumers.remove(viewer._id)
  assert.equal(await reads(api.url, viewer.access_token), 401)
  assert.equal((await info(api.url, viewer.access_token)).status, 401)
  assert.equal((await introspect(viewer.refresh_token)).body.active, false)
  const claims = [refreshOf(viewer.refresh_token), passwordOf(viewer), { grant_type: 'password', ...device }]
  for (const claim of claims) assert.equal((await token(claim)).body.error, 'invalid_grant')
})

test('changing the password ends every token of the consumer, in every app', async () => {
  const [viewer, app] = [await api.channel.consumer(), await newApp()]
  const { body: elsewhere } = await appAt(api.url, app).token(passwordOf(viewer))
  assert.equal(await reads(api.url, elsewhere.access_token), 200)
  const password = 'a new one, nothing like the old'
  note(password)
  await api.as('admin').consumers.update(viewer._id, { password })
  for (const { access_token } of [viewer, elsewhere]) assert.equal(await reads(api.url, access_token), 401)
  const { token } = appAt(api.url, api.channel.app)
  assert.equal((await token(refreshOf(viewer.refresh_token))).body.error, 'invalid_grant')
  assert.equal((await token(passwordOf(viewer))).body.error, 'invalid_grant')
  assert.equal((await token(passwordOf({ ...viewer, password }))).status, 200)
})

test('only a public client needs no secret; a wrong secret is always rejected', async () => {
  const [viewer, app] = [await api.channel.consumer(), await newApp()]
  const { client_id } = app
  const ask = (more: Record<string, string>) =>
    post(`${api.url}/oauth/token`, { client_id, ...passwordOf(viewer), ...more })
  assert.equal((await ask({})).body.error, 'invalid_client')
  await api.as('admin').apps.update(app._id, { public_client: true })
  const { status, body } = await ask({})
  assert.equal(status, 200)
  assert.equal((await ask({ client_secret: 'wrong' })).body.error, 'invalid_client')
  const headers = basicOf({ client_id, client_secret: '' })
  assert.equal((await post(`${api.url}/oauth/token`, passwordOf(viewer), { headers })).status, 200)
  const renewed = await post(`${api.url}/oauth/token`, { client_id, ...refreshOf(body.refresh_token) })
  assert.equal(renewed.status, 200)
  await api.as('admin').apps.update(app._id, { public_client: false })
  assert.equal((await ask({})).body.error, 'invalid_client')
})

test('with the password grant switched off a password is unauthorized_client; PIN and refresh stay', async () => {
  const [viewer, app] = [await api.channel.consumer(), await newApp()]
  const { token } = appAt(api.url, app)
  const { body } = await token(passwordOf(viewer))
  await api.as('admin').apps.update(app._id, { password_grant: false })
  const refused = await token(passwordOf(viewer))
  assert.deepEqual([refused.status, refused.body.error], [400, 'unauthorized_client'])
  assert.equal(refused.body.message, refused.body.error_description)
  assert.equal((await token(refreshOf(body.refresh_token))).status, 200)
  const device = await linkDevice({ channel: { ...api.channel, as: api.channel.as } }, viewer._id)
  await api.as('admin').apps.update(api.channel.app._id, { password_grant: false })
  assert.equal(
    (await appAt(api.url, api.channel.app).token({ grant_type: 'password', ...device })).status,
    200,
  )
  await api.as('admin').apps.update(api.channel.app._id, { password_grant: true })
})

test('a client secret that was replaced works while it overlaps, and not after', async () => {
  const [viewer, app] = [await api.channel.consumer(), await newApp()]
  const { apps } = api.as('admin')
  const second = await apps.rotate(app._id)
  for (const each of [app, second])
    assert.equal((await appAt(api.url, each).token(passwordOf(viewer))).status, 200)
  const third = await apps.rotate(app._id, { overlap: 0 })
  for (const each of [app, second])
    assert.equal((await appAt(api.url, each).token(passwordOf(viewer))).body.error, 'invalid_client')
  assert.equal((await appAt(api.url, third).token(passwordOf(viewer))).status, 200)
})

test('removing a session or a linked device ends its tokens everywhere within a second', async () => {
  const viewer = await api.channel.consumer()
  const device = await linkDevice(api, viewer._id)
  const { body: onTv } = await appAt(api.url, api.channel.app).token({ grant_type: 'password', ...device })
  const node = await api.startNode()
  try {
    for (const url of [api.url, node.url]) assert.equal(await reads(url, onTv.access_token), 200)
    const { linked_devices, sessions } = api.as('admin')
    const [linked] = (await linked_devices.list(viewer._id)).response
    await linked_devices.remove(viewer._id, String(linked?._id))
    assert.equal(await reads(api.url, onTv.access_token), 401)
    assert.equal(await reads(node.url, viewer.access_token), 200)
    const [session] = (await sessions.list(viewer._id)).response
    await sessions.remove(viewer._id, String(session?._id))
    assert.equal(await reads(api.url, viewer.access_token), 401)
    await untilForgotten()
    for (const { access_token } of [onTv, viewer]) assert.equal(await reads(node.url, access_token), 401)
  } finally {
    await node.stop()
  }
})
