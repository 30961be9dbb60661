import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, limits, writableFields } from '@zoetrope/contract'
import { createClient } from '@zoetrope/sdk'
import { keepEventDays } from '../../packages/server/src/jobs/keep-events.job.js'
import { formats, startApi, type TestApi } from '../support/api.js'
import { addPublisher, signInAs } from '../support/publishers.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

/** Returns the number, the caller and the fields of each version of a video, newest first. */
async function history(id: string) {
  const { response } = await api.as('admin').video_versions.list(id)
  return response.map(({ number, caller, fields }) => [number, caller, fields])
}

for (const format of formats) {
  test(`every change of a video is a version, and an older one can be restored (${format})`, async () => {
    const { videos, video_versions } = api.as('admin', format)
    const video = await videos.create({ title: 'Horse', keywords: ['gallop'] })
    assert.deepEqual((await video_versions.list(video._id)).response, [])
    await videos.update(video._id, { title: 'The Horse', description: 'In motion', purchase_price: 4 })
    await videos.update(video._id, {
      title: 'The Horse in Motion',
      custom_attributes: { a: { b: [1, 'x'] } },
    })

    const [third, second, first] = (await video_versions.list(video._id)).response
    const whole: object | undefined = third
    assert.deepEqual(whole, {
      _id: third?._id,
      site_id: api.channel.channel._id,
      created_at: third?.created_at,
      updated_at: third?.updated_at,
      video_id: video._id,
      number: 3,
      caller: 'admin',
      author: null,
      fields: ['custom_attributes', 'title'],
      before: { title: 'The Horse', custom_attributes: {} },
      after: { title: 'The Horse in Motion', custom_attributes: { a: { b: [1, 'x'] } } },
    })
    assert.deepEqual(second?.before, { title: 'Horse', description: null, purchase_price: null })
    assert.deepEqual([first?.number, first?.caller, first?.fields], [1, 'admin', []])
    assert.equal(first?.created_at, video.created_at)
    assert.deepEqual(await video_versions.get(video._id, third?._id ?? ''), third)

    const restored = await videos.restoreVersion(video._id, { number: 1 })
    assert.deepEqual(restored, { ...video, updated_at: restored.updated_at })
    const undone = await videos.restoreVersion(video._id, { number: 3 })
    assert.deepEqual(
      [undone.title, undone.description, undone.purchase_price, undone.custom_attributes],
      ['The Horse in Motion', 'In motion', '4', { a: { b: [1, 'x'] } }],
    )
    await assert.rejects(videos.restoreVersion(video._id, { number: 9 }), { status: 404 })
    await assert.rejects(videos.restoreVersion(video._id, { number: 0 }), { status: 422 })
  })
}

test('a version names its author: a key, a person in the dashboard, or the platform', async () => {
  const publisher = await addPublisher(api, [api.channel, 'editor'])
  const browser = await signInAs(api, publisher)
  const { videos, segments } = createClient({
    url: api.url,
    session: { channelId: api.channel.channel._id, csrfToken: browser.csrf },
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { ...(init?.headers as object), cookie: browser.cookie } }),
  })
  const { _id } = await videos.create({ title: 'Signed' })
  await segments.create(_id, { description: 'Start', start: 0 })
  await videos.remove(_id)
  await videos.restore(_id)
  await api.database.db`update videos set active = false where _id = ${_id}`
  assert.deepEqual(await history(_id), [
    [5, null, ['active']],
    [4, 'editor', ['deleted_at']],
    [3, 'editor', ['deleted_at']],
    [2, 'editor', ['segments']],
    [1, 'editor', []],
  ])
  const { response } = await api.as('admin').video_versions.list(_id)
  assert.equal(response[1]?.author, publisher.email.split('@')[0])
  assert.equal(response[0]?.author, null)
})

test('the first version names who uploaded or imported the film: a person, a key or an upload token', async () => {
  const publisher = await addPublisher(api, [api.channel, 'owner'])
  const person = (await signInAs(api, publisher)).headers(api.channel)
  const { admin } = api.channel.keys
  const { token } = await api.as('admin').upload_tokens.create({ uploads: 2 })
  const { videos, video_versions } = api.as('admin')
  const firstOf = async (id: string) => {
    await videos.update(id, { genre: 'Silent' })
    const { caller, author } = (await video_versions.list(id)).response.at(-1) ?? {}
    return [caller, author]
  }
  const newest = async () => (await videos.list({ active: 'all', per_page: 1 })).response[0]?._id ?? ''
  const name = publisher.email.split('@')[0]
  for (const [headers, who] of [
    [person, ['owner', name]],
    [{ 'x-api-key': admin }, ['admin', null]],
    [{ 'x-upload-token': token ?? '' }, ['upload', null]],
  ] as const) {
    const body = new FormData()
    body.set('source', new Blob(['some film']), 'Horse.mp4')
    const reply = await fetch(`${api.url}/uploads`, { method: 'POST', headers, body })
    assert.equal(reply.status, 201)
    assert.deepEqual(await firstOf(await newest()), who)
    const pieces = await fetch(`${api.url}/uploads/tus`, {
      method: 'POST',
      headers: {
        ...headers,
        'tus-resumable': '1.0.0',
        'upload-length': '9',
        'content-type': 'application/offset+octet-stream',
      },
      body: 'some film',
    })
    assert.equal(pieces.status, 201)
    assert.deepEqual(await firstOf(await newest()), who)
  }
  const { video_id } = await api
    .as('admin')
    .video_imports.create({ source_url: 'https://films.example/a.mp4' })
  assert.deepEqual(await firstOf(video_id ?? ''), ['admin', null])
})

test('all changes of one request are one version, including chapters, categories and objects', async () => {
  const { videos, categories, zobject_types, zobjects } = api.as('admin')
  const genre = await categories.create({ title: 'Mood', values: ['calm', 'wild'] })
  await zobject_types.create({ title: 'actor', videos_enabled: true })
  const actor = await zobjects.create({ zobject_type: 'actor', title: 'Sallie Gardner' })
  const { _id } = await videos.create({ title: 'Chapters' })
  const changed = await videos.update(_id, {
    title: 'With chapters',
    categories_attributes: [{ category_id: genre._id, value: ['calm', 'wild'] }],
    segments_attributes: [
      { description: 'Walk', start: 0 },
      { description: 'Trot', start: 5000, end: 9000 },
    ],
    zobject_ids: [actor._id],
  })
  assert.deepEqual(await history(_id), [
    [2, 'admin', ['categories', 'segments', 'title', 'zobject_ids']],
    [1, 'admin', []],
  ])
  const [walk, trot] = changed.segments
  await videos.update(_id, {
    categories_attributes: [],
    segments_attributes: [
      { id: walk?._id, _destroy: true },
      { id: trot?._id, description: 'Gallop' },
    ],
    zobject_ids: [],
  })
  // Values that no longer exist are not restored. Segments are cut to the duration.
  await categories.update(genre._id, { values: ['calm'] })
  await api.database.db`update videos set precise_duration = 7 where _id = ${_id}`
  const restored = await videos.restoreVersion(_id, { number: 2 })
  assert.deepEqual(
    restored.segments.map(({ description, start, end }) => [description, start, end]),
    [
      ['Walk', 0, null],
      ['Trot', 5000, 7000],
    ],
  )
  assert.equal(restored.segments[1]?._id, trot?._id)
  assert.deepEqual(
    restored.categories.map(({ title, value }) => [title, value]),
    [['Mood', ['calm']]],
  )
  assert.deepEqual(restored.zobject_ids, [actor._id])
})

test('concurrent changes each create a version, and none is lost', async () => {
  const { videos, video_versions } = api.as('admin')
  const { _id } = await videos.create({ title: 'Busy' })
  const fields = [
    'genre',
    'country',
    'language',
    'series_id',
    'mrss_id',
    'kaltura_id',
    'foreign_id',
    'vimeo_id',
  ]
  await Promise.all(fields.map((name) => videos.update(_id, { [name]: 'de' })))
  const { response } = await video_versions.list(_id)
  assert.deepEqual(
    response.map(({ number }) => number),
    [9, 8, 7, 6, 5, 4, 3, 2, 1],
  )
  assert.deepEqual(response.flatMap(({ fields: changed }) => changed).sort(), [...fields].sort())
})

test('restoring a version does not open a video whose rule profile was removed', async () => {
  const { videos, content_rule_profiles } = api.as('admin')
  const first = await content_rule_profiles.create({})
  const second = await content_rule_profiles.create({})
  const { _id } = await videos.create({ title: 'Guarded', content_rule_profile_id: first._id })
  await videos.update(_id, { title: 'Still guarded', content_rule_profile_id: second._id })
  await content_rule_profiles.remove(first._id)
  const restored = await videos.restoreVersion(_id, { number: 1 })
  assert.deepEqual([restored.title, restored.content_rule_profile_id], ['Guarded', second._id])
})

test('only the newest versions of a video are kept, up to the limit', async () => {
  const { videos, video_versions } = api.as('admin')
  const { _id } = await videos.create({ title: '0' })
  const most = limits.video_versions.value
  for (let count = 1; count <= most + 2; count += 1) await videos.update(_id, { title: String(count) })
  const { response } = await video_versions.list(_id, { per_page: 100 })
  assert.deepEqual([response.length, response[0]?.number, response.at(-1)?.number], [most, most + 3, 4])
  assert.equal((await videos.restoreVersion(_id, { number: 4 })).title, '3')
  await assert.rejects(videos.restoreVersion(_id, { number: 3 }), { status: 404 })
})

test('every writable field is part of versions, except those that take files', async () => {
  const [trigger] = await api.database.db<{ unnoticed: string[] }[]>`
    select arguments[2]::text[] || arguments[3]::text[] as unnoticed from pg_trigger
    cross join regexp_split_to_array(encode(tgargs, 'escape'), '\\\\000') as arguments
    where tgname = 'videos_history'
  `
  assert.ok(trigger?.unnoticed.includes('record'))
  const written = writableFields(catalog.videos).map(([name]) => name)
  const elsewhere = /_attributes$|^(source_url|custom_thumbnail|delete_custom_thumbnail|zobject_id)$/
  assert.deepEqual(
    written.filter((name) => trigger?.unnoticed.includes(name) && !elsewhere.test(name)),
    [],
  )
})

test('versions outlive their events, with the same numbers, values and authors', async () => {
  const { videos, video_versions, keys } = api.as('admin')
  const { key, _id: key_id } = await keys.create({ name: 'Archivist', scopes: ['videos:write'] })
  const named = createClient({ url: api.url, apiKey: key ?? '' })
  const { _id } = await videos.create({ title: 'Kept' })
  await videos.update(_id, { title: 'Kept twice', purchase_price: 4.9, enable_at: '2030-01-01T00:00:00Z' })
  await named.videos.update(_id, { title: 'Kept thrice', keywords: ['old'] })
  await keys.remove(key_id)
  const { response: before } = await video_versions.list(_id)
  const { db } = api.database
  const age = () => db`
    update events set created_at = created_at - interval '40 days'
    where record_id = ${_id} and created_at > now() - interval '1 day'
  `
  await age()
  await keepEventDays(db, 30)
  assert.equal((await db`select from events where record_id = ${_id}`).length, 0)
  const { response: old } = await video_versions.list(_id)
  const values = (list: typeof before) => list.map(({ created_at: _, updated_at: __, ...version }) => version)
  assert.deepEqual(values(old), values(before))

  await videos.update(_id, { title: 'Kept four times' })
  assert.deepEqual((await history(_id))[0], [4, 'admin', ['title']])
  for (let count = 0; count < limits.video_versions.value; count += 1)
    await videos.update(_id, { title: String(count) })
  await age()
  await keepEventDays(db, 30)
  const { response: newest } = await video_versions.list(_id, { per_page: 100 })
  assert.deepEqual([newest.length, newest[0]?.number, newest.at(-1)?.number], [100, 104, 5])
  assert.equal((await db`select from old_video_versions where video_id = ${_id}`).length, 100)
  assert.equal((await videos.restoreVersion(_id, { number: 5 })).title, '0')
})
