import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { kindsAllowed } from '@zoetrope/contract'
import { createClient, signIn } from '@zoetrope/sdk'
import { type Format, formats, startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { xmlFetch } from '../support/xml-fetch.js'
import { acquire, type Endpoint, endpoints, makeTarget, newEmail, perform } from './access-targets.js'

let api: TestApi
let viewer: TestConsumer
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
})
after(() => api.stop())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const adminKey = () => ({ 'x-api-key': api.channel.keys.admin })
const called = ({ method, path }: Endpoint) => `${method} ${path}`
const asViewer = (format: Format) =>
  createClient({
    url: api.url,
    accessToken: viewer.access_token,
    retries: 0,
    ...(format === 'xml' ? { fetch: xmlFetch } : {}),
  })

/** Endpoints for one consumer, or for records that belong to a consumer. */
const personal = endpoints.filter(({ resource }) => resource.personal || resource.within?.personal)
const named = personal.filter(({ path }) => path.includes(':'))
const inside = named.filter(({ resource, path }) => resource.within && path.includes(':id'))

/** Creates another consumer of the channel, signed in only if the endpoint needs a session. */
const someoneElse = async ({ resource }: Endpoint): Promise<string> =>
  resource.name === 'session'
    ? (await api.channel.consumer())._id
    : (await api.as('admin').consumers.create({ email: newEmail() }))._id

for (const format of formats) {
  for (const endpoint of named)
    test(`${called(endpoint)} finds no other consumer for an access token (${format})`, async () => {
      const target = await makeTarget(api, api.channel, endpoint, await someoneElse(endpoint))
      const token = bearer(viewer.access_token)
      // On operations that consumers may call, an admin key sent with the token grants nothing more.
      const isForConsumers = kindsAllowed(endpoint.resource, endpoint.name).includes('consumer')
      for (const headers of isForConsumers ? [token, { ...token, ...adminKey() }] : [token]) {
        const { status, body } = await perform(api, endpoint, target, headers, format)
        assert.deepEqual([status, body.code], [404, 'not_found'], body.message)
      }
      assert.equal((await perform(api, endpoint, target, adminKey(), format)).status, endpoint.success)
    })

  for (const endpoint of inside)
    test(`${called(endpoint)} finds no records of one consumer under another (${format})`, async () => {
      const target = await makeTarget(api, api.channel, endpoint, await someoneElse(endpoint))
      for (const headers of [bearer(viewer.access_token), adminKey()]) {
        const { status, body } = await perform(
          api,
          endpoint,
          { ...target, parentId: viewer._id },
          headers,
          format,
        )
        assert.deepEqual([status, body.code], [404, 'not_found'], body.message)
      }
      assert.equal((await perform(api, endpoint, target, adminKey(), format)).status, endpoint.success)
    })

  for (const name of ['link', 'unlink'] as const)
    test(`PUT /pin/${name} accepts neither other consumers nor PINs of another channel (${format})`, async () => {
      const { pin } = await acquire(api.channel)
      const { _id: other } = await api.as('admin').consumers.create({ email: newEmail() })
      const { _id: foreign } = await api.other.as('admin').consumers.create({ email: newEmail() })
      const { pin: foreignPin } = await acquire(api.other)
      const unknown = { status: 404, message: 'Consumer not found' }
      const wrong = { status: 404, message: 'Invalid Device Pin.' }

      await assert.rejects(asViewer(format).pin[name]({ consumer_id: other, pin }), unknown)
      for (const who of ['admin', 'app'] as const) {
        await assert.rejects(api.as(who, format).pin[name]({ consumer_id: foreign, pin }), unknown)
        await assert.rejects(api.as(who, format).pin[name]({ consumer_id: other, pin: foreignPin }), wrong)
      }
      await assert.rejects(asViewer(format).pin[name]({ pin: foreignPin }), wrong)
    })

  test(`only a video that the caller may see can be a favourite (${format})`, async () => {
    const hidden = await api.as('admin').videos.create({ title: 'Hidden', active: false })
    const foreign = await api.other.as('admin').videos.create({ title: 'Theirs' })
    const { video_favorites } = asViewer(format)
    for (const { _id } of [hidden, foreign])
      await assert.rejects(video_favorites.create(viewer._id, { video_id: _id }), { status: 422 })
    assert.deepEqual((await video_favorites.list(viewer._id, { video_id: hidden._id })).response, [])
  })

  test(`fields that only the admin key may write are ignored from others (${format})`, async () => {
    const wished = { super_watcher: true, stripe_id: 'cus_1', braintree_id: 'b', recurly_code: 'r' }
    const kept = { super_watcher: false, stripe_id: null, braintree_id: null, recurly_code: null }
    const shown = ({
      super_watcher,
      stripe_id,
      braintree_id,
      recurly_code,
    }: typeof kept | typeof wished) => ({
      super_watcher,
      stripe_id,
      braintree_id,
      recurly_code,
    })

    const signedUp = await api.as('app', format).consumers.create({ email: newEmail(), ...wished })
    assert.deepEqual(shown(signedUp as typeof kept), kept)
    const changed = await asViewer(format).consumers.update(viewer._id, { name: 'Ada', ...wished })
    assert.deepEqual([changed.name, shown(changed as typeof kept)], ['Ada', kept])
    const trusted = await api.as('admin', format).consumers.update(signedUp._id, wished)
    assert.deepEqual(shown(trusted as typeof wished), wished)
  })
}

test('a token of the scope public can read the catalogue but not its consumer', async () => {
  const { client_id, client_secret } = api.channel.app
  const { access_token } = await signIn({
    url: api.url,
    clientId: client_id,
    clientSecret: client_secret,
    username: viewer.email,
    password: viewer.password,
    scope: 'public',
  })

  await createClient({ url: api.url, accessToken: access_token }).videos.list()
  for (const endpoint of personal) {
    const target = await makeTarget(api, api.channel, endpoint, viewer._id)
    const { status, body } = await perform(api, endpoint, target, bearer(access_token), 'json')
    assert.equal(status, 403, `${called(endpoint)}: ${body.message}`)
  }
  assert.equal((await asViewer('json').consumers.get(viewer._id))._id, viewer._id)
})

test('no response contains the password of a consumer or its hash', async () => {
  const password = 'a password to look for'
  const made = await api.as('admin').consumers.create({ email: newEmail(), password })
  const { email, _id } = made
  const answers = [
    made,
    await api.as('admin').consumers.get(_id),
    await api.as('app').consumers.get(_id),
    await api.as('admin').consumers.update(_id, { password: 'another to look for' }),
    ...(await api.as('admin').consumers.list({ email })).response,
  ]
  assert.equal(answers.length, 5)
  for (const answer of answers) {
    assert.ok(!Object.keys(answer).some((name) => name.includes('password')))
    assert.doesNotMatch(JSON.stringify(answer), /to look for|argon2/)
  }
})

test('a refused call does not change a consumer', async () => {
  const before = await api.as('admin').consumers.create({ email: newEmail(), name: 'Untouched' })
  const { access_token } = await api.other.consumer()
  const callers = [
    { 'x-api-key': api.channel.keys.read_only },
    { 'x-api-key': api.channel.keys.player },
    { 'x-app-key': api.channel.app_key },
    { 'x-api-key': api.other.keys.admin },
    bearer(access_token),
    bearer(viewer.access_token),
  ]
  const writes = named.filter(({ resource, method }) => resource.name === 'consumer' && method !== 'GET')
  for (const endpoint of writes)
    for (const headers of callers) {
      const target = {
        id: before._id,
        parentId: '',
        fields: { name: 'Changed', password: 'quite another secret 7' },
      }
      const { status } = await perform(api, endpoint, target, headers as Record<string, string>, 'json')
      assert.ok(status === 403 || status === 404, `${called(endpoint)} ${status}`)
    }
  assert.deepEqual(await api.as('admin').consumers.get(before._id), before)
})
