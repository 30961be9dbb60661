import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CredentialKind, callerKinds, catalog, kindsAllowed, type Resource } from '@zoetrope/contract'
import { createClient } from '@zoetrope/sdk'
import { recordedExamples } from '../../packages/server/src/reference/openapi/recorded.js'
import { brokenPromise } from '../support/answer-schemas.js'
import { type Format, formats, startApi, type TestApi, type TestChannel } from '../support/api.js'
import { differences, operationOf } from '../support/examples.js'
import { xmlFetch } from '../support/xml-fetch.js'
import { type Endpoint, endpoints, makeTarget, ownerFor, perform, type Target } from './access-targets.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

/** The rights of named keys depend on their scopes: access-named-keys.test.ts tries them. */
type Kind = Exclude<CredentialKind, 'named'>
const kinds = (Object.keys(callerKinds) as CredentialKind[]).filter((kind): kind is Kind => kind !== 'named')

interface Viewer {
  readonly _id: string
  readonly access_token: string
}

/** Caches what `make` returns for each argument. */
function once<T, Made>(make: (thing: T) => Promise<Made>): (thing: T) => Promise<Made> {
  const made = new Map<T, Promise<Made>>()
  return (thing) => {
    const known = made.get(thing) ?? make(thing)
    made.set(thing, known)
    return known
  }
}

const viewerIn = once((channel: TestChannel): Promise<Viewer> => channel.consumer())
const uploadTokenIn = once(
  async (channel: TestChannel) => (await channel.as('admin').upload_tokens.create({})).token ?? '',
)

/** Returns a signed-in consumer of the channel. Calls that end sessions get a new one. */
function viewerOf(channel: TestChannel, { resource, name }: Endpoint): Promise<Viewer> {
  const ends = name === 'end_sessions' || (resource.name === 'session' && name === 'remove')
  return ends ? channel.consumer() : viewerIn(channel)
}

interface Caller {
  readonly headers: Record<string, string>
  readonly consumerId?: string
}

async function callerOf(channel: TestChannel, kind: Kind, endpoint: Endpoint): Promise<Caller> {
  if (kind === 'app') return { headers: { 'x-app-key': channel.app_key } }
  if (kind === 'upload') return { headers: { 'x-upload-token': await uploadTokenIn(channel) } }
  if (kind !== 'consumer') return { headers: { 'x-api-key': channel.keys[kind] } }
  const { _id, access_token } = await viewerOf(channel, endpoint)
  return { headers: { authorization: `Bearer ${access_token}` }, consumerId: _id }
}

/** Creates a record of the first channel on which the call would succeed. A consumer gets a record of their own. */
const targetFor = async (endpoint: Endpoint, consumerId?: string) =>
  makeTarget(api, api.channel, endpoint, consumerId ?? (await ownerFor(api.channel, endpoint)))

/** A shared record for calls that do not change it: reads, and calls that are rejected. */
const untouchedTarget = once((endpoint: Endpoint) => targetFor(endpoint))

/** Returns a separate record for a call that changes something or comes from a consumer, otherwise a shared one. */
const targetOf = (endpoint: Endpoint, isRefused: boolean, consumerId?: string) =>
  consumerId === undefined && (isRefused || endpoint.method === 'GET')
    ? untouchedTarget(endpoint)
    : targetFor(endpoint, consumerId)

/** Files are compared in the tests of their resource. */
const isFile = ({ resource, name }: Endpoint) => resource.actions[name]?.answers === 'file'

const namesRecord = ({ path }: Endpoint) => path.includes(':')

/** The admin key may call everything, but owns no personal records. */
const statusFor = ({ resource, success }: Endpoint, kind: Kind) =>
  resource.name.startsWith('own_') && kind === 'admin' ? 404 : success

const origin = 'https://app.example'

/** Makes the call as a web app of another origin does, and checks that CORS allows it to read the response. */
async function call(endpoint: Endpoint, target: Target, headers: Record<string, string>, format: Format) {
  const reply = await perform(api, endpoint, target, { ...headers, origin }, format)
  assert.equal(reply.headers.get('access-control-allow-origin'), origin)
  assert.equal(reply.headers.get('access-control-allow-credentials'), 'true')
  return reply
}

/** The reference shows recorded responses. They must match the current ones. */
function assertAsRecorded(endpoint: Endpoint, body: unknown): void {
  const recorded = recordedExamples.get(operationOf(endpoint))
  assert.ok(
    recorded,
    'The reference has no example. Run `npm run generate -- examples` and commit what it writes.',
  )
  if (recorded.answer === undefined) return
  assert.deepEqual(
    differences(recorded.answer, body),
    [],
    'The reference has an older answer. Run `npm run generate -- examples` and commit what it writes.',
  )
}

/** Access is checked before the response is serialized, so XML is tested with one kind of credential only. */
const kindsIn = (format: Format) =>
  format === 'json' || process.env.TEST_FORMATS === 'all' ? kinds : (['admin'] as const)

for (const format of formats)
  for (const endpoint of endpoints) {
    const called = `${endpoint.method} ${endpoint.path}`

    for (const kind of kindsIn(format)) {
      const allowed = kindsAllowed(endpoint.resource, endpoint.name).includes(kind)
      test(`${called} is ${allowed ? 'open' : 'closed'} to the kind ${kind} (${format})`, async () => {
        const { headers, consumerId } = await callerOf(api.channel, kind, endpoint)
        const target = await targetOf(endpoint, !allowed, consumerId)
        const { status, body } = await call(endpoint, target, headers, format)
        assert.equal(status, allowed ? statusFor(endpoint, kind) : 403, body.message)
        if (!allowed || status >= 300) return
        if (isFile(endpoint)) return
        assert.equal(brokenPromise(operationOf(endpoint), status, body), '')
        if (kind === 'admin' && format === 'json') assertAsRecorded(endpoint, body)
      })

      // An upload token is rejected before the record is looked up.
      if (namesRecord(endpoint) && kind !== 'upload')
        test(`${called} finds nothing of this channel for the kind ${kind} of another (${format})`, async () => {
          const { headers } = await callerOf(api.other, kind, endpoint)
          const target = await untouchedTarget(endpoint)
          const { status, body } = await call(endpoint, target, headers, format)
          assert.deepEqual([status, body.code], [404, 'not_found'], body.message)
        })
    }

    const isForConsumers = kindsAllowed(endpoint.resource, endpoint.name).includes('consumer')
    const isTried = kindsIn(format).some((kind) => kind === 'consumer')
    if (isTried)
      test(`${called} ${isForConsumers ? 'obeys' : 'refuses'} a token beside an API key in a header (${format})`, async () => {
        const { headers, consumerId } = await callerOf(api.channel, 'consumer', endpoint)
        const send = (key: string) => call(endpoint, target, { ...headers, 'x-api-key': key }, format)
        const target = await targetOf(endpoint, !isForConsumers, consumerId)
        for (const key of isForConsumers ? [api.other.keys.admin, 'unknown'] : [api.channel.keys.admin]) {
          const { status, body } = await send(key)
          assert.deepEqual([status, body.code], [422, 'invalid'], key)
          assert.match(body.message, /exactly one credential/)
        }
        if (!isForConsumers) return
        const { status, body } = await send(api.channel.keys.admin)
        assert.equal(status, endpoint.success, body.message)
      })

    test(`${called} is closed without a valid credential (${format})`, async () => {
      const target = await untouchedTarget(endpoint)
      const { admin } = api.channel.keys
      const wrong = [{ 'x-api-key': 'x' }, { 'x-app-key': admin }, { authorization: `Bearer ${admin}x` }]
      // Credentials are checked before the format matters.
      for (const headers of format === 'json' ? [{}, ...wrong] : [{}]) {
        const { status, body } = await call(endpoint, target, headers as Record<string, string>, format)
        assert.deepEqual([status, body.message], [401, 'Invalid or missing authentication.'])
      }
    })
  }

test('a CORS preflight is allowed for every operation', async () => {
  for (const { method, path } of endpoints) {
    const { status, headers } = await fetch(api.url + path.replace(/:\w+/g, 'f'.repeat(24)), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'x-app-key,content-type',
      },
    })
    assert.equal(status, 204, path)
    assert.equal(headers.get('access-control-allow-origin'), origin, path)
    assert.equal(headers.get('access-control-allow-credentials'), 'true', path)
    assert.match(headers.get('access-control-allow-methods') ?? '', new RegExp(`\\b${method}\\b`), path)
    assert.equal(headers.get('access-control-allow-headers'), 'x-app-key,content-type', path)
  }
})

test('the table tries every operation and action of every resource', () => {
  const declared = Object.values(catalog).map(
    (r: Resource) => r.operations.length + Object.keys(r.actions).length,
  )
  assert.equal(
    endpoints.length,
    declared.reduce((a, b) => a + b),
  )
})

test('a refused call changes nothing', async () => {
  const made = await api.as('admin').videos.create({ title: 'Untouched' })
  const target = { id: made._id, parentId: '', fields: { title: 'Changed' } }
  for (const endpoint of endpoints.filter(
    ({ resource, method }) => resource.name === 'video' && method !== 'GET',
  ))
    for (const channel of [api.channel, api.other])
      for (const kind of kinds.filter((each) => channel === api.other || each !== 'admin')) {
        const { headers } = await callerOf(channel, kind, endpoint)
        await perform(api, endpoint, target, headers, 'json')
      }
  assert.deepEqual(await api.as('admin').videos.get(made._id), made)
})

async function clientOf(kind: 'read_only' | 'app' | 'consumer', format: Format) {
  if (kind !== 'consumer') return api.as(kind, format)
  const { access_token } = await viewerOf(api.channel, endpoints[0] as Endpoint)
  return createClient({
    url: api.url,
    accessToken: access_token,
    ...(format === 'xml' ? { fetch: xmlFetch } : {}),
  })
}

for (const format of formats)
  for (const kind of ['read_only', 'app', 'consumer'] as const)
    test(`the kind ${kind} never sees inactive or deleted records (${format})`, async () => {
      const admin = api.as('admin').videos
      const hidden = await admin.create({ title: 'Hidden', genre: 'secret', active: false })
      const gone = await admin.create({ title: 'Gone', genre: 'secret' })
      await admin.remove(gone._id)
      const { videos } = await clientOf(kind, format)
      for (const { _id } of [hidden, gone]) {
        await assert.rejects(videos.get(_id), { status: 404 })
        for (const query of [
          { id: _id },
          { q: _id },
          { genre: 'secret' },
          { 'id!': 'f'.repeat(24), q: 'hidden' },
        ])
          assert.deepEqual((await videos.list(query)).response, [])
      }
      for await (const { active, deleted_at } of videos.all())
        assert.deepEqual([active, deleted_at], [true, null])
    })

test("a channel's lists contain no records of another channel", async () => {
  await api.other.as('admin').videos.create({ title: 'Theirs' })
  for (const query of [{}, { active: 'all' as const }, { q: 'theirs' }, { title: 'Theirs' }])
    for await (const { site_id } of api.as('admin').videos.all(query))
      assert.equal(site_id, api.channel.channel._id)
  for await (const { site_id } of api.as('admin').apps.all()) assert.equal(site_id, api.channel.channel._id)
})
