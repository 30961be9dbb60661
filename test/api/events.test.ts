import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@zoetrope/contract'
import { startApi, type TestApi } from '../support/api.js'
import { readEvents } from '../support/event-stream.js'
import { until } from '../support/patience.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const typesOf = (page: { readonly response: readonly { readonly type: string }[] }) =>
  page.response.map(({ type }) => type)

test('events are filtered by type, record, actor, request and time', async () => {
  const admin = api.as('admin')
  const video = await admin.videos.create({ title: 'One' })
  await admin.videos.update(video._id, { title: 'Two' })
  await admin.videos.remove(video._id)
  await admin.videos.restore(video._id)
  const record_id = video._id
  assert.deepEqual(typesOf(await admin.events.list({ record_id })), [
    'video.restored',
    'video.deleted',
    'video.updated',
    'video.created',
  ])
  const types = async (type: string) => typesOf(await admin.events.list({ record_id, type })).sort()
  assert.deepEqual(await types('*.deleted'), ['video.deleted'])
  assert.deepEqual(await types('video.created,video.restored'), ['video.created', 'video.restored'])
  assert.deepEqual(await types('playlist.*'), [])
  assert.equal((await admin.events.list({ record_id, actor: 'admin' })).response.length, 4)
  assert.equal((await admin.events.list({ record_id, actor: 'editor' })).response.length, 0)
  const [restored, deleted, updated] = (await admin.events.list({ record_id })).response
  const { request_id } = updated ?? {}
  assert.deepEqual(typesOf(await admin.events.list({ request_id: request_id ?? '' })), ['video.updated'])
  assert.deepEqual(updated?.previous, { title: 'One' })
  const tomorrow = new Date(Date.now() + 86_400_000)
  assert.equal((await admin.events.list({ record_id, 'created_at.gt': tomorrow })).response.length, 0)
  assert.equal((await admin.events.list({ record_id, 'updated_at.lt': tomorrow })).response.length, 4)
  assert.deepEqual(typesOf(await admin.events.list({ record_id, before: deleted?._id ?? '' })), [
    'video.updated',
    'video.created',
  ])
  assert.equal((await admin.events.get(restored?._id ?? '')).type, 'video.restored')
  for (const query of [
    'type=Video',
    'type=a.b.c',
    'type=vidoe.*',
    'type=video.exploded',
    'after=nothing',
    `before=${'f'.repeat(24)}`,
  ]) {
    const { status } = await ask(`${api.url}/events?${query}&api_key=${api.channel.keys.admin}`)
    assert.equal(status, 422, query)
  }
})

test('all events are read by cursor, in both directions, each once', async () => {
  const admin = api.as('admin')
  const { _id: record_id } = await admin.playlists.create({ title: 'Walked' })
  for (let number = 0; number < 6; number += 1)
    await admin.playlists.update(record_id, { title: `${number}` })
  const walk = async (order: 'asc' | 'desc') => {
    const ids: string[] = []
    for await (const { _id } of admin.events.all({ record_id, order, per_page: 2 } as never)) ids.push(_id)
    return ids
  }
  const newest = await walk('desc')
  assert.equal(newest.length, 7)
  // Oldest first, an event is shown once no older transaction can add one before it.
  await until('the settled events', async () => (await walk('asc')).length === 7)
  assert.deepEqual(await walk('asc'), newest.reverse())
})

test('a reader with a cursor misses nothing that commits late', async () => {
  const admin = api.as('admin')
  const site_id = api.channel.channel._id
  const [slow, quick] = ['slow', 'quick'].map((title) => ({ _id: '', title }))
  const begun = deferred()
  const hold = deferred()
  const slowly = api.database.transaction(async (tx) => {
    await tx`insert into categories (_id, site_id, title, friendly_title) values (${'a'.repeat(24)}, ${site_id}, ${slow?.title ?? ''}, 'slow')`
    begun.resolve()
    await hold.promise
  })
  await begun.promise
  const made = await admin.categories.create({ title: quick?.title ?? '' })
  const type = 'category.created'
  assert.deepEqual(
    (await admin.events.list({ type })).response.map(({ record_id }) => record_id),
    [made._id],
    'newest first, everything is there at once',
  )
  assert.deepEqual((await admin.events.list({ type, order: 'asc' })).response, [], 'but it is not settled')
  hold.resolve()
  await slowly
  const settled = await until('the settled events', async () => {
    const { response } = await admin.events.list({ type, order: 'asc' })
    return response.length === 2 && response
  })
  assert.deepEqual(
    settled.map(({ record_id }) => record_id),
    ['a'.repeat(24), made._id],
  )
})

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

test('a stream sends events as they happen, and continues after the last one that a client has', async () => {
  const admin = api.as('admin')
  const address = `${api.url}/events?type=pass_plan.*&api_key=${api.channel.keys.admin}`
  const accept = { accept: 'text/event-stream' }
  const stream = await readEvents(address, accept)
  assert.equal(stream.status, 200)
  assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/)
  const one = await admin.pass_plans.create({ name: 'One', amount: '1.00' })
  const first = await stream.until(({ name }) => name === 'pass_plan.created')
  assert.equal(first.data.record_id, one._id)
  stream.leave()
  const two = await admin.pass_plans.create({ name: 'Two', amount: '2.00' })
  await admin.videos.create({ title: 'Not asked for' })
  const again = await readEvents(address, { ...accept, 'last-event-id': first.id })
  const second = await again.until(({ name }) => name === 'pass_plan.created')
  assert.equal(second.data.record_id, two._id)
  assert.deepEqual(
    again.events.map(({ name }) => name),
    ['pass_plan.created'],
  )
  again.leave()
  const other = await ask(`${api.url}/events?api_key=${api.channel.keys.player}`, 'json', { headers: accept })
  assert.equal(other.status, 403)
})

test('an editor, and a key with events:read, see only events of records that they could read', async () => {
  const admin = api.as('admin')
  const app = await admin.apps.create({ title: 'Owned' })
  const key = await admin.keys.create({ name: 'Reader', scopes: ['events:read', 'videos:read', 'apps:read'] })
  const narrow = await admin.keys.create({ name: 'Events only', scopes: ['events:read'] })
  const upload = await admin.uploads.create({ length: 5 })
  const video = await admin.videos.create({ title: 'Seen' })
  const publisher = await addPublisher(api, [api.channel, 'editor'])
  const editor = await signInAs(api, publisher)
  const seenBy = async (headers: Record<string, string>, record_id: string) => {
    const { status, body } = await ask(`${api.url}/events?record_id=${record_id}`, 'json', { headers })
    assert.equal(status, 200, body.message)
    return body.response.length
  }
  const byEditor = editor.headers(api.channel)
  const byKey = { 'x-api-key': key.key ?? '' }
  assert.deepEqual([await seenBy(byEditor, video._id), await seenBy(byKey, video._id)], [1, 1])
  assert.deepEqual([await seenBy(byEditor, key._id), await seenBy(byKey, key._id)], [0, 0])
  assert.deepEqual([await seenBy(byEditor, upload._id), await seenBy(byKey, upload._id)], [1, 0])
  assert.deepEqual([await seenBy(byEditor, app._id), await seenBy(byKey, app._id)], [0, 1])
  assert.deepEqual([await seenBy(byEditor, publisher._id), await seenBy(byKey, publisher._id)], [0, 0])
  assert.equal(await seenBy({ 'x-api-key': narrow.key ?? '' }, video._id), 0)
  const [event] = (await admin.events.list({ record_id: app._id })).response
  const { status } = await ask(`${api.url}/events/${event?._id}`, 'json', { headers: byEditor })
  assert.equal(status, 404)
  assert.equal((await api.other.as('admin').events.list({ record_id: video._id })).response.length, 0)
})

test('the team, its sign-ins and the keys of the channel have events for owners', async () => {
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  const owner = await signInAs(api, publisher)
  const listed = async (query: string) =>
    (await ask(`${api.url}/events?${query}`, 'json', { headers: owner.headers(api.channel) })).body.response
  assert.deepEqual(
    (await listed(`record_id=${publisher._id}`)).map(({ type }) => type),
    ['publisher.signed_in', 'member.created'],
  )
  await api.as('admin').videos.create({ title: 'Another' })
  const { _id } = await api.as('admin').categories.create({ title: 'Named' })
  await ask(`${api.url}/categories/${_id}`, 'json', {
    method: 'PUT',
    headers: { ...owner.headers(api.channel), 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Renamed' }),
  })
  const [event] = await listed(`record_id=${_id}`)
  assert.deepEqual(event?.actor, { kind: 'owner', id: publisher._id, name: publisher.email.split('@')[0] })
})

test('a replay is bounded, and says where to split a range that is too long', async () => {
  const { webhooks } = api.other.as('admin')
  const { _id } = await webhooks.create({ url: 'https://example.com/hook', events: ['video.*'] })
  const [from, site_id] = [new Date(Date.now() - 60_000).toISOString(), api.other.channel._id]
  await api.database.db`
    select add_change(${site_id}, 'video.created', 'videos', number::text, '')
    from generate_series(1, ${limits.replayed_events.value + 1}) as number
  `
  let to = ''
  await assert.rejects(webhooks.replay(_id, { from }), (error: Error & { status: number }) => {
    to = /Send to=(\S+) first/.exec(error.message)?.[1] ?? ''
    return error.status === 422 && to !== ''
  })
  await webhooks.replay(_id, { from: to })
  const [{ count } = { count: 0 }] = await api.database.db<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries where webhook_id = ${_id}
  `
  assert.ok(count > 0 && count <= limits.replayed_events.value)
})
