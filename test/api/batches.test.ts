import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const admin = () => api.as('admin')
const put = (id: string, video: object) => ({
  method: 'PUT' as const,
  path: `/videos/${id}`,
  body: { video } as never,
})
const undo = (id: string) => ({ method: 'POST' as const, path: `/events/${id}/undo` })

test('each write of a batch succeeds or fails by itself, and all are undone by another batch', async () => {
  const [first, second] = [
    await admin().videos.create({ title: 'One' }),
    await admin().videos.create({ title: 'Two' }),
  ]
  const gone = '65f0c0ffee0123456789abcd'
  const { results } = await admin().batches.create({
    requests: [
      put(first._id, { title: 'Uno', keywords: ['a'] }),
      put(second._id, { title: '' }),
      put(gone, { title: 'Nobody' }),
      { method: 'DELETE', path: `/videos/${second._id}` },
      { method: 'POST', path: '/categories', body: { title: 'Eras', values: ['Silent'] } },
    ],
  })
  assert.deepEqual(
    results.map(({ status }) => status),
    [200, 422, 404, 204, 201],
  )
  const [edited, invalid, missing, removed, created] = results
  assert.deepEqual(edited?.previous, { title: 'One', keywords: [] })
  assert.deepEqual(edited?.values, { title: 'Uno', keywords: ['a'] })
  assert.equal(edited?.record_id, first._id)
  assert.deepEqual(invalid?.errors, { title: ['must not be empty'] })
  assert.equal(missing?.message, 'Video not found')
  assert.deepEqual([invalid?.event_ids, missing?.event_ids], [[], []])
  assert.equal((await admin().videos.get(first._id)).title, 'Uno')
  assert.equal((await admin().categories.get(created?.record_id ?? '')).title, 'Eras')

  const events = [edited, removed, created].flatMap((result) => result?.event_ids ?? [])
  assert.equal(events.length, 3)
  const back = await admin().batches.create({ requests: events.toReversed().map(undo) })
  assert.deepEqual(
    back.results.map(({ status, message }) => [status, message]),
    [
      [200, null],
      [200, null],
      [200, null],
    ],
  )
  assert.equal((await admin().videos.get(first._id)).title, 'One')
  assert.equal((await admin().videos.get(second._id)).title, 'Two')
  await assert.rejects(admin().categories.get(created?.record_id ?? ''), { status: 404 })
  // An undo names the event that it undoes, and only that one.
  const { response } = await admin().events.list({ record_id: first._id })
  assert.deepEqual(
    response.map(({ undoes }) => undoes),
    [events[0], null, null],
  )
})

test('a batch with dry_run says what would change, and changes nothing', async () => {
  const { _id } = await admin().videos.create({ title: 'Still' })
  const before = (await admin().events.list({ record_id: _id })).response.length
  const { results } = await admin().batches.create(
    {
      requests: [put(_id, { title: 'Moved' }), put(_id, { title: 'Moved' }), put(_id, { active: 'perhaps' })],
    },
    { query: { dry_run: true } },
  )
  assert.deepEqual(
    results.map(({ status, previous, values }) => [status, previous, values]),
    [
      [200, { title: 'Still' }, { title: 'Moved' }],
      [200, {}, {}],
      [422, {}, {}],
    ],
  )
  assert.equal((await admin().videos.get(_id)).title, 'Still')
  assert.equal((await admin().events.list({ record_id: _id })).response.length, before)
})

test('a batch allows nothing that its caller may not do', async () => {
  const app = await admin().apps.create({ title: 'Owned' })
  const { _id: other } = await api.other.as('admin').videos.create({ title: 'Elsewhere' })
  const { _id: mine } = await admin().videos.create({ title: 'Mine' })
  const batch = (headers: Record<string, string>, requests: readonly object[]) =>
    ask(`${api.url}/batch`, 'json', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ requests }),
    })
  const editor = await signInAs(api, await addPublisher(api, [api.channel, 'editor']))
  const { body } = await batch(editor.headers(api.channel), [
    { method: 'DELETE', path: `/apps/${app._id}` },
    put(other, { title: 'Taken' }),
    { method: 'POST', path: '/batch', body: { requests: [] } },
    { method: 'POST', path: '/nowhere' },
    { method: 'PUT', path: '/videos' },
    { method: 'DELETE', path: '/videos/%zz' },
    put(mine, { title: 'Changed' }),
  ])
  assert.deepEqual(
    (body.response.results as { status: number }[]).map(({ status }) => status),
    [403, 404, 404, 404, 405, 422, 200],
  )
  assert.equal((await api.other.as('admin').videos.get(other)).title, 'Elsewhere')
  const guest = await signInAs(api, await addPublisher(api, [api.channel, 'viewer']))
  assert.equal((await batch(guest.headers(api.channel), [put(mine, { title: 'No' })])).status, 403)
  const { key } = await admin().keys.create({ name: 'Batches', scopes: ['*:read', '*:write'] })
  assert.equal((await batch({ 'x-api-key': key ?? '' }, [put(mine, { title: 'No' })])).status, 403)
  const many = Array.from({ length: 101 }, () => put(mine, { title: 'No' }))
  assert.equal((await batch({ 'x-api-key': api.channel.keys.admin }, many)).status, 422)
  assert.equal((await admin().videos.get(mine)).title, 'Changed')
})

test('rules of a profile that were removed come back by undo', async () => {
  const profiles = admin().content_rule_profiles
  const rule = { name: 'Home', policy: 'allow' as const, match_type: 'country' as const, countries: ['DE'] }
  const { _id, content_rules } = await profiles.create({ title: 'Rules', content_rules_attributes: [rule] })
  const events: string[] = []
  const options = { onEvents: (ids: readonly string[]) => void events.push(...ids) }
  const id = content_rules[0]?._id ?? ''
  await profiles.update(_id, { content_rules_attributes: [{ id, _destroy: true }] }, options)
  for (const event of events) await admin().events.undo(event)
  const { content_rules: again } = await profiles.get(_id)
  assert.deepEqual(
    again.map(({ name, countries }) => [name, countries]),
    [['Home', ['DE']]],
  )
})

const remove = (path: string) => ({ method: 'DELETE' as const, path })

/** Undoes each event by a request of its own. */
const undoAll = async (ids: readonly string[]) => {
  for (const id of ids) await admin().events.undo(id)
}

test('every deletion of a batch is undone by itself, also of records that referred to each other', async () => {
  for (const isConsumerFirst of [true, false]) {
    const { _id: consumer } = await admin().consumers.create({ email: `${isConsumerFirst}@batch.example` })
    const { _id: playlist } = await admin().playlists.create({ title: 'Given' })
    await admin().playlist_entitlements.create(consumer, { playlist_id: playlist })
    const paths = [`/consumers/${consumer}`, `/playlists/${playlist}`]
    const requests = (isConsumerFirst ? paths : paths.toReversed()).map(remove)
    const { results } = await admin().batches.create({ requests })
    const events = results.flatMap(({ event_ids }) => event_ids ?? [])
    assert.equal(events.length, 2)
    await undoAll(events.toReversed())
    const { response } = await admin().playlist_entitlements.list(consumer)
    assert.deepEqual(
      response.map(({ playlist_id }) => playlist_id),
      [playlist],
    )
  }
})

test('what is purged in a batch does not keep later deletions from being undone', async () => {
  const { _id: video } = await admin().videos.create({ title: 'Purged' })
  await admin().videos.remove(video)
  const { _id: category } = await admin().categories.create({ title: 'Kept', values: ['One'] })
  const { results } = await admin().batches.create({
    requests: [{ method: 'POST', path: `/videos/${video}/purge` }, remove(`/categories/${category}`)],
  })
  await undoAll(results[1]?.event_ids ?? [])
  assert.equal((await admin().categories.get(category)).title, 'Kept')
})

test('a write of a batch is never a dry run, and never makes a secret that nobody sees', async () => {
  const { _id } = await admin().videos.create({ title: 'Real' })
  const { results } = await admin().batches.create({
    requests: [
      { ...put(_id, { title: 'Tried' }), path: `/videos/${_id}?dry_run=true` },
      { ...remove(`/videos/${_id}`), body: { dry_run: true } as never },
      { method: 'POST', path: '/keys', body: { name: 'Lost', scopes: ['*:read'] } as never },
      { method: 'POST', path: `/videos/${_id}.json` },
    ],
  })
  assert.deepEqual(
    results.map(({ status }) => status),
    [422, 422, 422, 405],
  )
  assert.equal((await admin().videos.get(_id)).title, 'Real')
})
