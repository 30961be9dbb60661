import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { appAt, info, passwordOf, refreshOf } from './oauth-requests.js'

let api: TestApi
let viewer: TestConsumer
let video: string
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
  video = (await api.as('admin').videos.create({ title: 'For everyone' }))._id
})
after(() => api.stop())

/** Returns the statuses of a request with the token in the query and in the header. */
async function statuses(method: string, path: string, access_token: string): Promise<number[]> {
  const join = path.includes('?') ? '&' : '?'
  const asParameter = await fetch(`${api.url}${path}${join}access_token=${access_token}`, { method })
  const headers = { authorization: `Bearer ${access_token}` }
  const asBearer = await fetch(`${api.url}${path}`, { method, headers })
  return [asParameter.status, asBearer.status]
}

const signIn = async (scope: string) =>
  (await appAt(api.url, api.channel.app).token({ ...passwordOf(viewer), scope })).body

test('an access token may do what is granted to consumers, as parameter and as Bearer', async () => {
  const own = `/consumers/${viewer._id}`
  const allowed: [string, string, number][] = [
    ['GET', '/videos', 200],
    ['GET', `/videos/${video}`, 200],
    ['GET', own, 200],
    ['PUT', `${own}?consumer[name]=Ada`, 200],
    ['POST', `${own}/video_favorites?video_id=${video}`, 201],
    ['GET', `${own}/video_favorites`, 200],
    ['GET', `${own}/devices`, 200],
    ['GET', `${own}/sessions`, 200],
  ]
  for (const [method, path, status] of allowed)
    assert.deepEqual([path, await statuses(method, path, viewer.access_token)], [path, [status, status]])
})

test('an access token may do nothing else: records of others are not found, the rest is refused', async () => {
  const other = await api.channel.consumer()
  const refused: [string, string, number][] = [
    ['POST', '/videos?title=No', 403],
    ['PUT', `/videos/${video}?title=No`, 403],
    ['DELETE', `/videos/${video}`, 403],
    ['GET', '/apps', 403],
    ['GET', '/account', 403],
    ['GET', '/consumers', 403],
    ['POST', '/consumers?email=new@example.com', 403],
    ['DELETE', `/consumers/${viewer._id}`, 403],
    ['PUT', '/consumers/forgot_password?email=new@example.com', 403],
    ['POST', '/pin/acquire?linked_device_id=tv', 403],
    ['GET', `/consumers/${other._id}`, 404],
    ['PUT', `/consumers/${other._id}?consumer[name]=Eve`, 404],
    ['GET', `/consumers/${other._id}/video_favorites`, 404],
    ['GET', `/consumers/${other._id}/sessions`, 404],
    ['POST', `/consumers/${other._id}/end_sessions`, 404],
    ['PUT', `/pin/link?consumer_id=${other._id}&pin=zizm529`, 404],
  ]
  for (const [method, path, status] of refused)
    assert.deepEqual([path, await statuses(method, path, viewer.access_token)], [path, [status, status]])
})

test('two credentials at once return 422, of any kinds and in any places', async () => {
  const { access_token } = viewer
  const { app_key } = api.channel
  const bearer = { authorization: `Bearer ${access_token}` }
  const requests: [string, Record<string, string>][] = [
    [`access_token=${access_token}&app_key=${app_key}`, {}],
    [`access_token=${access_token}&access_token=${access_token}`, {}],
    [`access_token=${access_token}`, bearer],
    [`api_key=${api.channel.keys.admin}`, bearer],
    [`access_token=${access_token}`, { 'x-app-key': app_key }],
  ]
  for (const [query, headers] of requests)
    assert.equal((await fetch(`${api.url}/videos?${query}`, { headers })).status, 422)
})

test('a 401 says what is wrong with the token, as RFC 6750 specifies', async () => {
  const challengeOf = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(api.url + path, { headers })
    return [reply.status, reply.headers.get('www-authenticate')]
  }
  const bearer = 'Bearer realm="zoetrope"'
  const wrong = '0'.repeat(64)
  const invalid = `${bearer}, error="invalid_token"`
  assert.deepEqual(await challengeOf('/videos', { authorization: `Bearer ${wrong}` }), [401, invalid])
  assert.deepEqual(await challengeOf(`/videos?access_token=${wrong}`), [401, invalid])
  // A request without a token gets the scheme only.
  assert.deepEqual(await challengeOf('/videos'), [401, bearer])
  assert.deepEqual(await challengeOf('/videos.xml?api_key=wrong'), [401, bearer])
  assert.deepEqual(await challengeOf(`/manifest/${video}.m3u8`), [401, bearer])
  const { access_token } = await signIn('public')
  const reply = await challengeOf(`/consumers/${viewer._id}`, { authorization: `Bearer ${access_token}` })
  assert.deepEqual(reply, [403, `${bearer}, error="insufficient_scope", scope="consumer"`])
})

test('a refresh token is not accepted as a credential', async () => {
  assert.deepEqual(await statuses('GET', '/videos', viewer.refresh_token), [401, 401])
})

test('a token of the scope public can list videos but access nothing personal', async () => {
  const { access_token, scope } = await signIn('public')
  assert.equal(scope, 'public')
  assert.deepEqual(await statuses('GET', '/videos', access_token), [200, 200])
  assert.deepEqual(await statuses('GET', `/videos/${video}`, access_token), [200, 200])
  const own = `/consumers/${viewer._id}`
  const personal: [string, string][] = [
    ['GET', own],
    ['PUT', `${own}?consumer[name]=Ada`],
    ['GET', `${own}/video_favorites`],
    ['POST', `${own}/video_favorites?video_id=${video}`],
    ['GET', `${own}/devices`],
    ['GET', `${own}/sessions`],
    ['POST', `${own}/end_sessions`],
    ['PUT', '/pin/link?pin=zizm529'],
    ['GET', '/consumer/videos'],
    ['POST', '/redemption_codes/redeem?code=ABCDEFGH'],
  ]
  for (const [method, path] of personal)
    assert.deepEqual([path, await statuses(method, path, access_token)], [path, [403, 403]])
})

test('a token of the scope public may watch unrestricted videos only', async () => {
  const { _id } = await api
    .as('admin')
    .videos.create({ title: 'For who signs in', registration_required: true })
  const { access_token } = await signIn('public')
  const path = `/videos/${_id}/entitled`
  assert.deepEqual(await statuses('GET', path, viewer.access_token), [200, 200])
  // This endpoint returns 422 if the viewer may not watch.
  assert.deepEqual(await statuses('GET', path, access_token), [422, 422])
})

test('a refresh never widens the scope', async () => {
  const { refresh_token } = await signIn('public')
  const { token } = appAt(api.url, api.channel.app)
  const wider = await token({ ...refreshOf(refresh_token), scope: 'consumer' })
  assert.deepEqual([wider.status, wider.body.error], [400, 'invalid_scope'])
  const { body } = await token({ ...refreshOf(refresh_token), scope: 'public' })
  assert.equal(body.scope, 'public')
  const facts = (await info(api.url, body.access_token)).body as unknown as { scopes: string[] }
  assert.deepEqual(facts.scopes, ['public'])
})

test('scopes may be requested in any order and more than once', async () => {
  assert.equal((await signIn('public  consumer public')).scope, 'consumer public')
  assert.equal((await signIn(' ')).scope, 'consumer')
})
