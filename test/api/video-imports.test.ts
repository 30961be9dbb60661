import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endUnwanted } from '../../packages/server/src/films/imports/ends.js'
import { takeImport } from '../../packages/server/src/films/imports/hold.js'
import { newId } from '../../packages/server/src/lib/object-id.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

// No worker runs here, so imports stay queued and can be inspected.
let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())

const source_url = 'https://films.example/The%20Horse%20in%20Motion.mp4?signature=0123456789'
const hidden = /signature|films\.example/

const jobsOf = (import_id: string) =>
  api.database.db`select from graphile_worker.jobs where key = ${`import:${import_id}`}`

for (const format of formats) {
  test(`an import and its video are created together (${format})`, async () => {
    const { video_imports, videos } = api.as('admin', format)
    const made = await video_imports.create({
      source_url,
      description: 'Twelve cameras.',
      episode: 3,
      season: 2,
      source_id: 'horse-1',
      auto_activate: false,
    })

    assert.deepEqual(
      [made.title, made.status, made.progress, made.bytes, made.total_bytes, made.attempts, made.finished_at],
      ['The Horse in Motion', 'created', null, 0, null, 0, null],
    )
    assert.equal(made.source_url, source_url)
    const video = await videos.get(made.video_id ?? '')
    assert.deepEqual(
      [
        video.title,
        video.description,
        video.episode,
        video.season,
        video.source_id,
        video.active,
        video.status,
      ],
      ['The Horse in Motion', 'Twelve cameras.', 3, 2, 'horse-1', false, 'uploading'],
    )
    assert.equal((await jobsOf(made._id)).length, 1)
    assert.deepEqual(await video_imports.get(made._id), made)
    assert.deepEqual(
      [made.type, made.active, made.duration, made.thumbnails, made.etag],
      ['url', true, null, [], null],
    )
    const { response } = await video_imports.list({ video_id: made.video_id ?? '' })
    assert.deepEqual(response, [made])
    const found = async (query: { active?: boolean | 'all'; type?: string }) =>
      (await video_imports.list({ video_id: made.video_id ?? '', ...query })).response.length
    assert.deepEqual([await found({ type: 'url' }), await found({ type: 'mrss' })], [1, 0])
    assert.deepEqual([await found({ active: false }), await found({ active: 'all' })], [0, 1])
    const thumbnails = [
      { url: 'https://a.example/1.jpg', width: 320, height: 180, aspect_ratio: 1.78, name: null },
    ]
    await api.database.db`
      update videos set thumbnails = ${JSON.stringify(thumbnails)}::text::jsonb where _id = ${made.video_id}
    `
    assert.deepEqual((await video_imports.get(made._id)).thumbnails, thumbnails)
  })

  test(`a video can be created from a URL, which its record never shows (${format})`, async () => {
    const { videos, video_imports } = api.as('admin', format)
    const made = await videos.create({ title: 'Mine', source_url })
    const changed = await videos.update(made._id, { source_url: `${source_url}&again=1`, genre: 'Western' })

    assert.deepEqual([made.status, changed.status, changed.genre], ['uploading', 'uploading', 'Western'])
    for (const record of [made, changed]) assert.doesNotMatch(JSON.stringify(record), hidden)
    const { response } = await video_imports.list({ video_id: made._id })
    assert.deepEqual(
      response.map(({ status, source_url: address, title }) => [status, address, title]),
      [
        ['created', `${source_url}&again=1`, 'Mine'],
        ['cancelled', source_url, 'Mine'],
      ],
    )
    const viewer = await api.channel.consumer()
    for (const query of [
      `api_key=${api.channel.keys.admin}`,
      `api_key=${api.channel.keys.read_only}`,
      `app_key=${api.channel.app_key}`,
      `access_token=${viewer.access_token}`,
    ])
      for (const path of [`/videos/${made._id}`, '/videos']) {
        const { status, text } = await ask(`${api.url}${path}?${query}`, format)
        assert.equal(status, 200)
        assert.doesNotMatch(text, hidden)
      }
  })
}

test('an update without source_url, or with an empty one, leaves the film alone', async () => {
  const { videos, video_imports } = api.as('admin')
  const made = await videos.create({ title: 'Mine', source_url })
  await videos.update(made._id, { title: 'Yours', source_url: null })
  await videos.update(made._id, { source_url: null, active: false })
  assert.equal((await video_imports.list({ video_id: made._id })).response.length, 1)
})

test('a URL that can never be fetched is rejected before anything is created', async () => {
  const { video_imports, videos } = api.as('admin')
  const before = (await videos.list({ active: 'all' })).pagination.pages
  for (const [address, why] of [
    ['file:///etc/passwd', /source_url/],
    ['gopher://films.example/film.mp4', /source_url/],
    ['ftp://films.example/film.mp4', /source_url/],
    ['javascript:alert(1)', /source_url/],
    ['films.example/film.mp4', /source_url/],
    ['http://user:password@films.example/film.mp4', /user name or a password/],
    ['http://user@films.example/film.mp4', /user name or a password/],
    ['http://films.example:25/film.mp4', /Port 25 is not allowed/],
    ['http://films.example:5432/film.mp4', /Port 5432 /],
    ['http://films.example:6379/film.mp4', /Port 6379 /],
    ['http://[::1/film.mp4', /not an address/],
    ['http://10.0.0.1/film.mp4', /^10\.0\.0\.1 is not on the public internet\. .* IMPORT_NETWORKS/],
    ['http://[::ffff:192.168.0.1]/film.mp4', /is not on the public internet/],
    [`https://films.example/${'x'.repeat(2000)}`, /source_url/],
    ['', /source_url/],
  ] as const) {
    await assert.rejects(
      video_imports.create({ source_url: address }),
      { status: 422, message: why },
      address,
    )
    if (address !== '')
      await assert.rejects(videos.create({ title: 'No', source_url: address }), { status: 422 }, address)
  }
  assert.equal((await videos.list({ active: 'all' })).pagination.pages, before)
  const long = `https://films.example/${'x'.repeat(2000 - 'https://films.example/'.length)}`
  assert.equal((await video_imports.create({ source_url: long })).source_url.length, 2000)
})

test('an import for an existing video keeps its fields, and ends an earlier import', async () => {
  const { video_imports, videos } = api.as('admin')
  const video = await videos.create({ title: 'Mine' })
  const first = await video_imports.create({ source_url, video_id: video._id, title: 'Passed over' })
  const second = await video_imports.create({ source_url, video_id: video._id })

  assert.deepEqual([second.video_id, (await videos.get(video._id)).title], [video._id, 'Mine'])
  const ended = await video_imports.get(first._id)
  assert.deepEqual(
    [ended.status, ended.status_reason],
    ['cancelled', 'Another import brings a film to its video.'],
  )
})

test('the video of another channel, or one that was removed, gets no film', async () => {
  const { video_imports, videos } = api.as('admin')
  const theirs = await api.other.as('admin').videos.create({ title: 'Theirs' })
  const removed = await videos.create({ title: 'Removed' })
  await videos.remove(removed._id)
  for (const video_id of [theirs._id, removed._id, '65f0c0ffee0123456789abcd'])
    await assert.rejects(video_imports.create({ source_url, video_id }), { status: 404 })
  const made = await video_imports.create({ source_url, auto_add: false })
  await assert.rejects(video_imports.addVideo(made._id, { video_id: theirs._id }), { status: 404 })
  assert.equal((await api.other.as('admin').video_imports.list()).response.length, 0)
})

test('add_video gives a waiting import a new video or an existing one', async () => {
  const { video_imports, videos } = api.as('admin')
  const [one, two] = await Promise.all(
    ['One', 'Two'].map((title) => video_imports.create({ source_url, title, auto_add: false })),
  )
  assert.ok(one && two)
  assert.deepEqual([one.video_id, (await jobsOf(one._id)).length], [null, 0])
  await assert.rejects(video_imports.retry(one._id), { status: 422, message: /add_video/ })

  const added = await video_imports.addVideo(one._id)
  assert.equal((await videos.get(added.video_id ?? '')).title, 'One')
  assert.equal((await jobsOf(one._id)).length, 1)
  assert.deepEqual(await video_imports.addVideo(one._id), added)

  const video = await videos.create({ title: 'Mine' })
  assert.equal((await video_imports.addVideo(two._id, { video_id: video._id })).video_id, video._id)
  assert.equal((await videos.get(video._id)).status, 'uploading')
  await assert.rejects(video_imports.addVideo(one._id, { video_id: video._id }), { status: 422 })
})

test('a cancelled import leaves its video, and can be retried', async () => {
  const { video_imports, videos } = api.as('admin')
  const made = await video_imports.create({ source_url })
  const cancelled = await video_imports.cancel(made._id)
  assert.deepEqual(
    [cancelled.status, (await video_imports.cancel(made._id)).status],
    ['cancelled', 'cancelled'],
  )
  assert.ok(cancelled.finished_at)
  assert.equal((await videos.get(made.video_id ?? '')).status, 'created')

  const again = await video_imports.retry(made._id)
  assert.deepEqual([again.status, again.finished_at], ['created', null])
  assert.equal((await videos.get(made.video_id ?? '')).status, 'uploading')
})

test('a removed import leaves its video', async () => {
  const { video_imports, videos } = api.as('admin')
  const made = await video_imports.create({ source_url })
  await video_imports.remove(made._id)
  await assert.rejects(video_imports.get(made._id), { status: 404 })
  assert.equal((await videos.get(made.video_id ?? '')).status, 'created')
  await assert.rejects(video_imports.remove(made._id), { status: 404 })
})

/** A video whose film could not be prepared, and an import that is to replace it. */
async function replacing() {
  const { video_imports, videos } = api.as('admin')
  const video = await videos.create({ title: 'Twice' })
  const [site_id, source_id] = [api.channel.channel._id, newId()]
  await api.database.db`
    insert into sources (_id, site_id, video_id, bytes, sha256, status) values
      (${source_id}, ${site_id}, ${video._id}, 1, '', 'failed')
  `
  await api.database.db`
    update videos set status = 'failed', media_source_id = ${source_id} where _id = ${video._id}
  `
  const { _id: import_id } = await video_imports.create({ source_url, video_id: video._id })
  const statusNow = async () => (await videos.get(video._id)).status
  assert.equal(await statusNow(), 'uploading')
  return { site_id, video_id: video._id, import_id, statusNow }
}

test('an upload that is given up does not end the import of the same video', async () => {
  const { uploads, video_imports } = api.as('admin')
  const { video_id, import_id, statusNow } = await replacing()
  const upload = await uploads.create({ length: 10, video_id })
  await uploads.remove(upload._id)
  assert.equal(await statusNow(), 'uploading')
  await video_imports.cancel(import_id)
  assert.equal(await statusNow(), 'failed')
})

test('a restored video whose import ended has the status of the film it had before', async () => {
  const { videos } = api.as('admin')
  const { site_id, video_id, import_id } = await replacing()
  const held = await takeImport(api.database.db, { site_id, import_id })
  assert.ok(held)
  await videos.remove(video_id)
  assert.equal(await endUnwanted(api.database, held), true)
  assert.equal((await videos.restore(video_id)).status, 'failed')
})

test('a finished import can be neither cancelled nor retried', async () => {
  const { video_imports, videos } = api.as('admin')
  const made = await video_imports.create({ source_url })
  await api.database.db`update video_imports set status = 'ready' where _id = ${made._id}`
  await assert.rejects(video_imports.cancel(made._id), { status: 422, message: /the import is ready/ })
  await assert.rejects(video_imports.retry(made._id), { status: 422, message: /finished/ })
  await api.database.db`update video_imports set status = 'failed' where _id = ${made._id}`
  await api.database.db`update videos set status = 'failed' where _id = ${made.video_id}`
  assert.equal((await videos.retry(made.video_id ?? '')).status, 'uploading')
  assert.equal((await video_imports.get(made._id)).status, 'created')
})

test('imports are found by status, by video, and by words', async () => {
  const { video_imports } = api.other.as('admin')
  const horse = await video_imports.create({ source_url, source_id: 'muybridge' })
  const cat = await video_imports.create({ source_url: 'https://films.example/falling-cat.mp4' })
  await video_imports.cancel(cat._id)
  const ids = async (query: Parameters<typeof video_imports.list>[0]) =>
    (await video_imports.list(query)).response.map(({ _id }) => _id)

  assert.deepEqual(await ids({}), [cat._id, horse._id])
  assert.deepEqual(await ids({ status: 'created' }), [horse._id])
  assert.deepEqual(await ids({ 'status!': 'created' }), [cat._id])
  assert.deepEqual(await ids({ video_id: cat.video_id ?? '' }), [cat._id])
  assert.deepEqual(await ids({ q: 'falling' }), [cat._id])
  assert.deepEqual(await ids({ q: 'muybridge' }), [horse._id])
})
