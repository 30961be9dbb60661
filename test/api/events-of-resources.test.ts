import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, isShown, type Resource, secretFields } from '@zoetrope/contract'
import { startApi, type TestApi } from '../support/api.js'
import {
  type Endpoint,
  endpoints,
  makeTarget,
  newEmail,
  ownerFor,
  perform,
  type Target,
} from './access-targets.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

type Values = Readonly<Record<string, unknown>>

interface ShownEvent {
  readonly type: string
  readonly actor: Values
  readonly request_id: string | null
  readonly record_id: string
  readonly data: Values
  readonly previous: Values
}

/**
 * Resources whose changes are no events: see test/events-schema.test.ts. New users are invited to the team, and the writes of a
 * batch have their own events: test/api/batches.test.ts.
 */
const untold = ['event', 'pin', 'plays', 'batch', 'video_playback_token', 'playlist_playback_token']
const names: Readonly<Record<string, string>> = {
  video_import: 'import',
  named_key: 'key',
  user: 'invitation',
}
const verbs: Readonly<Record<string, string>> = { create: 'created', update: 'updated', remove: 'deleted' }
const granted: Readonly<Record<string, string>> = { create: 'granted', update: 'updated', remove: 'ended' }

const typeOf = ({ resource, name }: Endpoint) =>
  `${names[resource.name] ?? resource.name}.${(resource.name.endsWith('entitlement') ? granted : verbs)[name]}`

const eventsOf = async (record_id: string) =>
  (await api.as('admin').events.list({ record_id, per_page: 100 })).response as unknown as ShownEvent[]

/** Targets of other tests may leave a record as it is. */
const changes: Readonly<Record<string, Target['fields']>> = {
  pass_plan: { name: 'Changed' },
  ad_tag: { name: 'Changed' },
  subscription: { coupon_code: 'Changed' },
}

async function targetOf(endpoint: Endpoint): Promise<Target> {
  const target = await makeTarget(api, api.channel, endpoint, await ownerFor(api.channel, endpoint))
  const changed = endpoint.name === 'update' ? changes[endpoint.resource.name] : undefined
  return changed ? { ...target, fields: changed } : target
}

/** The record that the admin key reads; undefined if the resource has no such request. */
async function recordOf(resource: Resource, target: Target, id: string): Promise<Values | undefined> {
  const get = endpoints.find((each) => each.resource === resource && each.name === 'get')
  if (!get) return undefined
  const fields = resource.name === 'zobject' ? target.fields : {}
  const reply = await perform(
    api,
    get,
    { ...target, id, fields },
    { 'x-api-key': api.channel.keys.admin },
    'json',
  )
  assert.equal(reply.status, 200, reply.text)
  return reply.body.response as Values
}

/** What a deletion or the next step of a request changes. */
const moving = ['refresh_at', 'updated_at', 'status', 'deleted_at']

/** The fields of a record that its row determines, without secrets. */
function told(resource: Resource, record: Values): Values {
  const secrets = [...secretFields(resource), ...moving, 'parental_access_code']
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => {
      const field = resource.fields[name]
      return field && isShown(field) && !field.derived && !secrets.includes(name)
    }),
  )
}

const written = endpoints.filter(
  ({ resource, name }) =>
    Object.hasOwn(verbs, name) && !untold.includes(resource.name) && resource.name !== 'linked_device',
)

for (const endpoint of written) {
  const { resource, name, method, path } = endpoint
  test(`${method} ${path} is the event ${typeOf(endpoint)}, with the record, its old values and who did it`, async () => {
    const target = await targetOf(endpoint)
    const earlier = name === 'create' ? undefined : await recordOf(resource, target, target.id)
    const known = String(earlier?._id ?? target.id)
    const before = name === 'create' ? 0 : (await eventsOf(known)).length
    const reply = await perform(api, endpoint, target, { 'x-api-key': api.channel.keys.admin }, 'json')
    assert.equal(reply.status, endpoint.success, reply.text)
    const id = name === 'create' ? String(reply.body.response._id) : known
    const found = await eventsOf(id)
    const later = name === 'remove' ? earlier : await recordOf(resource, target, id)
    const [event] = found
    assert.ok(event, 'there is no event')
    assert.equal(event.type, typeOf(endpoint))
    assert.deepEqual(event.actor, { kind: 'admin', id: null })
    assert.equal(event.request_id, reply.headers.get('x-request-id'))
    assert.equal(event.record_id, id)
    assert.equal(found.length, before + 1, 'exactly one event')
    if (resource.derived || !later) return
    assert.deepEqual(told(resource, event.data), told(resource, later))
    assertPrevious(event, name, told(resource, earlier ?? later), told(resource, later))
  })
}

/** Only an update has old values: those of the fields that differ. */
function assertPrevious({ previous }: ShownEvent, name: string, was: Values, is: Values): void {
  const differs = (field: string) => JSON.stringify(is[field]) !== JSON.stringify(was[field])
  const changed = Object.keys(is).filter(differs)
  const expected = name === 'update' ? changed.map((field) => [field, was[field]]) : []
  assert.deepEqual(previous, Object.fromEntries(expected))
}

test('a linked device is an event once somebody has linked it, and again when that ends', async () => {
  const endpoint = endpoints.find(
    ({ resource, name }) => resource.name === 'linked_device' && name === 'remove',
  )
  assert.ok(endpoint)
  const target = await targetOf(endpoint)
  await perform(api, endpoint, target, { 'x-api-key': api.channel.keys.admin }, 'json')
  assert.deepEqual(
    (await eventsOf(target.id)).map(({ type }) => type),
    ['linked_device.deleted', 'linked_device.created'],
  )
})

test('secrets never appear in an event, nor in its row', async () => {
  const admin = api.as('admin')
  const { _id: playlist_id } = await admin.playlists.create({ title: 'Fed' })
  const feed = await admin.feeds.create({ playlist_id })
  const app = await admin.apps.create({ title: 'App' })
  const consumer = await admin.consumers.create({
    email: newEmail(),
    password: 'a secret of a viewer',
    parental_access_code: 'code of a parent',
  })
  const secrets = [
    'a secret of a viewer',
    'code of a parent',
    app.app_key,
    app.client_secret,
    (await admin.feed_keys.create(feed._id, {})).key,
    (await admin.keys.create({ name: 'Secret', scopes: ['videos:read'] })).key ?? '',
    (await admin.upload_tokens.create({})).token ?? '',
    consumer.rss_token ?? '',
  ].filter((secret) => secret !== '')
  assert.equal(secrets.length, 8)
  await admin.consumers.update(consumer._id, { password: 'another secret of a viewer', name: 'B' })
  const { text } = await ask(`${api.url}/events?per_page=100&api_key=${api.channel.keys.admin}`)
  const [{ rows = '' } = {}] = await api.database.db<{ rows: string }[]>`
    select string_agg(events::text, ' ') as rows from events where site_id = ${api.channel.channel._id}
  `
  for (const secret of [...secrets, 'another secret of a viewer']) {
    assert.ok(!text.includes(secret), secret)
    assert.ok(!rows.includes(secret), secret)
    assert.ok(!rows.includes(api.parts.sealer.digest(secret).toString('hex')), `the digest of ${secret}`)
  }
})

test('what changes without anybody noticing is no event', async () => {
  const { db } = api.database
  const { _id } = await api.as('admin').videos.create({ title: 'Counted' })
  await db`update videos set request_count = request_count + 1, updated_at = now() where _id = ${_id}`
  await db`update videos set record = record where _id = ${_id}`
  assert.equal((await eventsOf(_id)).length, 1)
})

test('every resource of the catalog can be written here, or is known not to be', () => {
  const seen = new Set([...written.map(({ resource }) => resource.name), ...untold, 'linked_device'])
  const writes = (resource: Resource) => resource.operations.some((name) => Object.hasOwn(verbs, name))
  for (const resource of Object.values<Resource>(catalog))
    if (writes(resource)) assert.ok(seen.has(resource.name), resource.name)
})
