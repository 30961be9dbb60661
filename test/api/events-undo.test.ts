import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Resource } from '@zoetrope/contract'
import { startApi, type TestApi } from '../support/api.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { type Endpoint, endpoints, makeTarget, newEmail, perform, type Target } from './access-targets.js'
import { ask, type Reply } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

type Values = Readonly<Record<string, unknown>>

const headers = () => ({ 'x-api-key': api.channel.keys.admin })
const undo = (id: string, by: Record<string, string> = headers()): Promise<Reply> =>
  ask(`${api.url}/events/${id}/undo`, 'json', { method: 'POST', headers: by })

async function newest(record_id: string) {
  const { response } = await api.as('admin').events.list({ record_id, per_page: 1 })
  assert.ok(response[0], 'there is an event')
  return response[0]
}

async function read(resource: Resource, target: Target, id: string): Promise<Reply> {
  const get = endpoints.find((each) => each.resource === resource && each.name === 'get')
  assert.ok(get)
  const fields = resource.name === 'zobject' ? target.fields : {}
  return perform(api, get, { ...target, id, fields }, headers(), 'json')
}

async function targetOf(endpoint: Endpoint): Promise<Target> {
  const owner = await api.as('admin').consumers.create({ email: newEmail() })
  return makeTarget(api, api.channel, endpoint, owner._id)
}

/** Deleted, these stay ended: they are credentials of viewers, or their files are gone. */
const stayEnded = ['session', 'linked_device', 'upload', 'video_import', 'audio_track', 'event', 'user']
/** Changes of these fields follow from others, or from the time. Tokens of viewers are new. */
const moving = ['updated_at', 'refresh_at', 'status', 'file_updated_at', 'rss_token', 'remember_token']

const settled = (record: unknown): Values =>
  Object.fromEntries(Object.entries(record as Values).filter(([name]) => !moving.includes(name)))

const undoable = (name: string) =>
  endpoints.filter(
    (each) =>
      each.name === name &&
      !stayEnded.includes(each.resource.name) &&
      !(name === 'remove' && each.resource.credential) &&
      each.resource.operations.includes('get') &&
      each.resource.operations.includes('remove'),
  )

for (const endpoint of undoable('remove'))
  test(`undoing ${endpoint.method} ${endpoint.path} brings the record back under its id, and is an event`, async () => {
    const target = await targetOf(endpoint)
    const { resource } = endpoint
    const before = (await read(resource, target, target.id)).body.response
    const id = String(before._id)
    const removed = await perform(api, endpoint, target, headers(), 'json')
    assert.equal(removed.status, endpoint.success, removed.text)
    assert.equal((await read(resource, target, id)).status, 404)
    const deleted = await newest(id)
    const undone = await undo(deleted._id)
    assert.equal(undone.status, 200, undone.text)
    const back = await read(resource, target, id)
    assert.equal(back.status, 200, back.text)
    assert.deepEqual(settled(back.body.response), settled(before))
    const event = await newest(id)
    assert.match(event.type, /\.restored$/)
    assert.deepEqual([event.undoes, event._id], [deleted._id, undone.body.response._id])
    assert.deepEqual(event.actor, { kind: 'admin', id: null })
    assert.equal((await undo(deleted._id)).status >= 400, true, 'it cannot be undone twice')
    const again = await undo(event._id)
    assert.equal(again.status, 200, again.text)
    assert.equal((await read(resource, target, id)).status, 404)
  })

for (const endpoint of undoable('update'))
  test(`undoing ${endpoint.method} ${endpoint.path} puts the old values back, unless they were changed since`, async () => {
    const target = await targetOf(endpoint)
    const { resource } = endpoint
    const before = (await read(resource, target, target.id)).body.response
    const id = String(before._id)
    const changed = await perform(api, endpoint, target, headers(), 'json')
    assert.equal(changed.status, endpoint.success, changed.text)
    const event = await newest(id)
    if (!event.type.endsWith('.updated')) return
    const undone = await undo(event._id)
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(settled((await read(resource, target, id)).body.response), settled(before))
    const again = await undo(event._id)
    assert.equal(again.status, 409, 'the values are no longer those of the event')
    assert.deepEqual(Object.keys(again.body.errors).length > 0, true)
  })

test('a playlist that comes back shows only videos that viewers may see today', async () => {
  const { playlists, videos } = api.as('admin')
  const [kept, hidden, removed] = [
    await videos.create({ title: 'Kept' }),
    await videos.create({ title: 'Hidden later' }),
    await videos.create({ title: 'Removed later' }),
  ]
  const shown = await videos.create({ title: 'Shown later', active: false })
  const { _id } = await playlists.create({ title: 'Meanwhile' })
  const all = [kept, hidden, removed, shown].map((video) => video._id)
  await playlists.addVideos(_id, { video_id: all })
  await playlists.remove(_id)
  const deletion = await newest(_id)
  await videos.update(hidden._id, { active: false })
  await videos.remove(removed._id)
  await videos.update(shown._id, { active: true })
  assert.equal((await undo(deletion._id)).status, 200)
  const seen = await api.as('read_only').playlists.videos(_id)
  assert.deepEqual(
    seen.response.map((video) => video._id),
    [kept._id, shown._id],
  )
  assert.equal((await playlists.get(_id)).playlist_item_count, 2)
})

test('undoing a creation deletes the record', async () => {
  const { _id } = await api.as('admin').playlists.create({ title: 'Not wanted' })
  const created = await newest(_id)
  const { status, body } = await undo(created._id)
  assert.deepEqual([status, body.response.type, body.response.undoes], [200, 'playlist.deleted', created._id])
  await assert.rejects(api.as('admin').playlists.get(_id), { status: 404 })
})

test('a deleted record comes back with what belonged to it', async () => {
  const admin = api.as('admin')
  const playlist = await admin.playlists.create({ title: 'Full' })
  const videos = await Promise.all(['One', 'Two'].map((title) => admin.videos.create({ title })))
  await admin.playlists.addVideos(playlist._id, { video_id: videos.map(({ _id }) => _id) })
  const feed = await admin.feeds.create({ playlist_id: playlist._id })
  await admin.feed_keys.create(feed._id, {})
  await admin.playlist_content_rules.create(playlist._id, { policy: 'deny', domains: ['a.example'] } as never)
  const before = await admin.playlists.get(playlist._id)
  await admin.playlists.remove(playlist._id)
  assert.equal((await undo((await newest(playlist._id))._id)).status, 200)
  const back = await admin.playlists.get(playlist._id)
  assert.deepEqual(settled(back), settled(before))
  assert.deepEqual((await admin.feed_keys.list(feed._id)).response, [], 'its keys stay revoked')
  assert.equal((await admin.playlist_content_rules.list(playlist._id)).response.length, 1)
  const [video] = videos
  assert.deepEqual((await admin.videos.get(video?._id ?? '')).related_playlist_ids, [playlist._id])

  const consumer = await admin.consumers.create({ email: newEmail(), password: 'a password of mine' })
  await admin.video_favorites.create(consumer._id, { video_id: video?._id ?? '' })
  await admin.video_entitlements.create(consumer._id, { video_id: video?._id ?? '' })
  const viewer = await admin.consumers.get(consumer._id)
  await admin.consumers.remove(consumer._id)
  assert.equal((await undo((await newest(consumer._id))._id)).status, 200)
  const again = await admin.consumers.get(consumer._id)
  assert.deepEqual(settled(again), settled(viewer))
  assert.notEqual(again.rss_token, viewer.rss_token)
  assert.equal((await admin.video_favorites.list(consumer._id)).response.length, 1)
})

test('undoing needs the right to make the opposite change, in the same channel', async () => {
  const admin = api.as('admin')
  const video = await admin.videos.create({ title: 'Mine' })
  const app = await admin.apps.create({ title: 'Owned' })
  const [ofVideo, ofApp] = [await newest(video._id), await newest(app._id)]
  const reader = await admin.keys.create({ name: 'Undoer', scopes: ['events:read', '*:write'] })
  const refused = await undo(ofVideo._id, { 'x-api-key': reader.key ?? '' })
  assert.equal(refused.status, 403)
  const editor = await signInAs(api, await addPublisher(api, [api.channel, 'editor']))
  assert.equal((await undo(ofApp._id, editor.headers(api.channel))).status, 404)
  assert.equal((await undo(ofVideo._id, { 'x-api-key': api.other.keys.admin })).status, 404)
  assert.equal((await admin.videos.get(video._id)).title, 'Mine')
})

test('milestones and sign-ins cannot be undone', async () => {
  const { db } = api.database
  const { _id } = await api.as('admin').videos.create({ title: 'Ready' })
  await db`update videos set playable_at = now(), status = 'ready' where _id = ${_id}`
  const event = await newest(_id)
  assert.equal(event.type, 'video.playable')
  assert.equal((await undo(event._id)).status, 422)
})

for (const endpoint of endpoints.filter(({ resource, name }) => name === 'remove' && resource.credential))
  test(`undo never revives a credential: ${endpoint.method} ${endpoint.path}`, async () => {
    const target = await targetOf(endpoint)
    await perform(api, endpoint, target, headers(), 'json')
    const deleted = await newest(target.id)
    const { status, body } = await undo(deleted._id)
    assert.deepEqual(
      [status, body.message],
      [
        422,
        `An event of the type ${deleted.type} cannot be undone. What was revoked stays revoked. Create a new one.`,
      ],
    )
    assert.equal((await read(endpoint.resource, target, target.id)).status, 404)
  })

test('undo never switches a credential on again, nor makes an expired one last longer', async () => {
  const { apps, feeds, keys, playlists } = api.as('admin')
  const app = await apps.create({ title: 'Switched off' })
  await apps.update(app._id, { active: false })
  const feed = await feeds.create({ playlist_id: (await playlists.create({ title: 'Fed' }))._id })
  await feeds.update(feed._id, { active: false })
  const key = await keys.create({ name: 'Short-lived', scopes: ['videos:read'] })
  await keys.update(key._id, { expires_at: new Date(Date.now() + 86_400_000).toISOString() })
  const shortened = await newest(key._id)
  const later = await keys.create({ name: 'Expired', scopes: ['videos:read'] })
  await api.database
    .db`update named_keys set expires_at = now() - interval '1 second' where _id = ${later._id}`
  for (const id of [app._id, feed._id, later._id]) {
    const { status, body } = await undo((await newest(id))._id)
    assert.equal(status, 422)
    assert.match(body.message, /was switched off or has expired, and stays so/)
  }
  assert.equal((await apps.get(app._id)).active, false)
  assert.equal((await undo(shortened._id)).status, 200)
  assert.equal((await keys.get(key._id)).expires_at, null)
})

test('undo of what revives a receiver of events or a super watcher, or widens a key, needs the password', async () => {
  const admin = api.as('admin')
  const webhook = await admin.webhooks.create({ url: 'https://example.com/hook', events: ['*'] })
  await admin.webhooks.update(webhook._id, { active: false })
  const switchedOff = await newest(webhook._id)
  const key = await admin.keys.create({ name: 'Narrowed', scopes: ['*:write'] })
  await admin.keys.update(key._id, { scopes: ['videos:read'] })
  const narrowed = await newest(key._id)
  const gone = await admin.webhooks.create({ url: 'https://example.com/hook', events: ['*'] })
  await admin.webhooks.remove(gone._id)
  const deleted = await newest(gone._id)
  const watcher = await admin.consumers.create({ email: newEmail(), super_watcher: true })
  await admin.consumers.remove(watcher._id)
  const person = await addPublisher(api, [api.channel, 'owner'])
  const owner = await signInAs(api, person)
  const at = (moment: string) => api.database.db`
    update publisher_sessions set confirmed_at = now() + ${moment}::text::interval where publisher_id = ${person._id}
  `
  const events = [switchedOff, narrowed, deleted, await newest(watcher._id)]
  await at('-1 hour')
  for (const { _id } of events) {
    const { status, body } = await undo(_id, owner.headers(api.channel))
    assert.deepEqual([status, body.code], [403, 'confirm_required'])
  }
  await at('0')
  for (const { _id } of events) assert.equal((await undo(_id, owner.headers(api.channel))).status, 200)
})

test('an event that was undone already says when', async () => {
  const { playlists } = api.as('admin')
  const { _id } = await playlists.create({ title: 'Before' })
  await playlists.update(_id, { title: 'After' })
  const renamed = await newest(_id)
  const { body } = await undo(renamed._id)
  const again = await undo(renamed._id)
  assert.deepEqual(
    [again.status, again.body.message],
    [409, `This was undone already, at ${body.response.created_at}.`],
  )
})
