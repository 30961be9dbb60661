import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  actionPath,
  type CallerKind,
  catalog,
  kindsAllowed,
  operations,
  pathOf,
  type Resource,
} from '@zoetrope/contract'
import { formats, startApi, type TestApi, type TestChannel } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

/** One endpoint of the catalog. */
interface Endpoint {
  readonly resource: Resource
  readonly name: string
  readonly method: string
  readonly path: string
  readonly success: number
}

const endpoints: Endpoint[] = Object.values(catalog).flatMap((resource: Resource) => [
  ...resource.operations.map((name) => {
    const { method, success } = operations[name]
    return { resource, name, method, path: pathOf(resource, name), success }
  }),
  ...Object.entries(resource.actions).map(([name, { method }]) => {
    return { resource, name, method, path: actionPath(resource, name), success: 200 }
  }),
])

const kinds = ['admin', 'read_only', 'player', 'app'] as const satisfies readonly CallerKind[]

function credential(channel: TestChannel, kind: (typeof kinds)[number]): Record<string, string> {
  return kind === 'app' ? { 'x-app-key': channel.app_key } : { 'x-api-key': channel.keys[kind] }
}

/** A record of the first channel on which the operation would succeed. */
async function makeRecord({ resource, name }: Endpoint): Promise<string> {
  if (resource.single) return ''
  const client = api.as('admin')
  if (resource.name === 'app') return (await client.apps.create({ title: 'Target' }))._id
  const { _id } = await client.videos.create({ title: 'Target' })
  if (name === 'restore') await client.videos.remove(_id)
  return _id
}

const isMember = ({ path }: Endpoint) => path.includes(':id')

function perform(endpoint: Endpoint, id: string, headers: Record<string, string>, format: 'json' | 'xml') {
  const fields = { json: '{"title":"Changed"}', xml: '<request><title>Changed</title></request>' }
  const type = { json: 'application/json', xml: 'text/xml' }
  const writes = endpoint.method === 'POST' || endpoint.method === 'PUT'
  return ask(api.url + endpoint.path.replace(':id', id), format, {
    method: endpoint.method,
    headers: { ...headers, 'content-type': type[format] },
    ...(writes ? { body: fields[format] } : {}),
  })
}

for (const format of formats)
  for (const endpoint of endpoints) {
    const called = `${endpoint.method} ${endpoint.path}`

    for (const kind of kinds) {
      const allowed = kindsAllowed(endpoint.resource, endpoint.name).includes(kind)
      test(`${called} is ${allowed ? 'open' : 'closed'} to the ${kind} key (${format})`, async () => {
        const id = await makeRecord(endpoint)
        const { status, body } = await perform(endpoint, id, credential(api.channel, kind), format)
        assert.equal(status, allowed ? endpoint.success : 403, body.message)
      })

      if (isMember(endpoint))
        test(`${called} finds nothing of this channel for the ${kind} key of another (${format})`, async () => {
          const id = await makeRecord(endpoint)
          const { status, body } = await perform(endpoint, id, credential(api.other, kind), format)
          assert.deepEqual([status, body.code], [404, 'not_found'], body.message)
        })
    }

    test(`${called} is closed to whoever has no valid credential (${format})`, async () => {
      const id = await makeRecord(endpoint)
      const { admin } = api.channel.keys
      for (const headers of [
        {},
        { 'x-api-key': 'x' },
        { 'x-app-key': admin },
        { authorization: `Bearer ${admin}` },
      ]) {
        const { status, body } = await perform(endpoint, id, headers as Record<string, string>, format)
        assert.deepEqual([status, body.message], [401, 'Invalid or missing authentication.'])
      }
    })
  }

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
  for (const endpoint of endpoints.filter(
    ({ resource, method }) => resource.name === 'video' && method !== 'GET',
  ))
    for (const channel of [api.channel, api.other])
      for (const kind of kinds.filter((each) => channel === api.other || each !== 'admin'))
        await perform(endpoint, made._id, credential(channel, kind), 'json')
  assert.deepEqual(await api.as('admin').videos.get(made._id), made)
})

for (const format of formats)
  for (const kind of ['read_only', 'app'] as const)
    test(`the ${kind} key never sees what is inactive or deleted (${format})`, async () => {
      const admin = api.as('admin').videos
      const hidden = await admin.create({ title: 'Hidden', genre: 'secret', active: false })
      const gone = await admin.create({ title: 'Gone', genre: 'secret' })
      await admin.remove(gone._id)
      const { videos } = api.as(kind, format)
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

test("a channel's lists hold nothing of another channel", async () => {
  await api.other.as('admin').videos.create({ title: 'Theirs' })
  for (const query of [{}, { active: 'all' as const }, { q: 'theirs' }, { title: 'Theirs' }])
    for await (const { site_id } of api.as('admin').videos.all(query))
      assert.equal(site_id, api.channel.channel._id)
  for await (const { site_id } of api.as('admin').apps.all()) assert.equal(site_id, api.channel.channel._id)
})
