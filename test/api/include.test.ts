/** `include=` shows related records beside the records that are read. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@zoetrope/contract'
import { formats, startApi, type TestApi } from '../support/api.js'
import { globalPlan } from './access-targets-money.js'
import { ask, lenient } from './ask.js'

const file = Buffer.from('1\n00:00:01,000 --> 00:00:02,500\nGood morning\n').toString('base64')

let api: TestApi
let videoId = ''
let consumerId = ''
let hiddenId = ''
before(async () => {
  api = await startApi()
  const admin = api.as('admin')
  hiddenId = (await admin.videos.create({ title: 'Trailer', active: false }))._id
  videoId = (await admin.videos.create({ title: 'Film', preview_ids: [hiddenId] }))._id
  await admin.subtitles.create(videoId, { language: 'en', file })
  await admin.subtitles.create(videoId, { language: 'de', file, active: false })
  const playlist = await admin.playlists.create({ title: 'Harbours' })
  await admin.playlists.addVideos(playlist._id, { video_id: [videoId] })
  const plan_id = (await admin.plans.create(globalPlan))._id
  consumerId = (await admin.consumers.create({ email: 'ada@example.com' }))._id
  await admin.subscriptions.create({ consumer_id: consumerId, plan_id })
})
after(() => api.stop())

for (const format of formats) {
  test(`a record shows the records inside it and those that it names, like their own lists (${format})`, async () => {
    const admin = api.as('admin', format)
    const include = ['subtitles', 'related_playlists', 'previews'] as const
    const video = await admin.videos.get(videoId, { query: { include } })
    const subtitles = (await admin.subtitles.list(videoId, { sort: 'created_at', active: 'all' })).response
    assert.deepEqual(video.subtitles, subtitles)
    assert.deepEqual(
      video.related_playlists.map(({ title }) => title),
      ['Harbours'],
    )
    assert.deepEqual(video.previews, [await admin.videos.get(hiddenId)])
    const { subtitles: _, related_playlists: __, previews: ___, ...plain } = video
    assert.deepEqual(plain, await admin.videos.get(videoId))
  })

  test(`every record of a list has its own, and response_fields does not remove them (${format})`, async () => {
    const { response } = await api
      .as('admin', format)
      .videos.list({ active: 'all', sort: 'title', response_fields: ['title'], include: ['subtitles'] })
    assert.deepEqual(
      response.map((video) => [video.title, video.subtitles.map(({ language }) => language)]),
      [
        ['Film', ['en', 'de']],
        ['Trailer', []],
      ],
    )
  })

  test(`a subscription shows its consumer and its plan (${format})`, async () => {
    const admin = api.as('admin', format)
    const { response } = await admin.subscriptions.list({ include: ['consumer', 'plan'] })
    assert.deepEqual(response[0]?.consumer, await admin.consumers.get(consumerId))
    assert.equal(response[0]?.plan?.name, globalPlan.name)
  })
}

test('a list of an action includes related records too', async () => {
  const { response } = await api.as('admin').playlists.list()
  const { response: videos } = await api
    .as('admin')
    .playlists.videos(response[0]?._id ?? '', { include: ['subtitles'] })
  assert.equal((videos[0] as unknown as { subtitles: unknown[] }).subtitles.length, 2)
})

test('apps see none that are hidden from viewers, and nothing that their credential may not list', async () => {
  const query = { include: ['subtitles', 'previews'] as const }
  const video = await api.as('read_only').videos.get(videoId, { query })
  assert.deepEqual([video.subtitles.length, video.previews], [1, []])
  const named = await api.as('admin').keys.create({ name: 'Subscriptions', scopes: ['subscriptions:read'] })
  const refused = await ask(`${api.url}/subscriptions?include=consumer&api_key=${named.key}`)
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'])
  assert.match(refused.body.message, /consumers:read/)
})

test('a name that is not known is reported, and refused where a request is strict', async () => {
  const address = `${api.url}/videos/${videoId}?api_key=${api.channel.keys.admin}&include=subtitels,subtitles`
  const { status, headers, body } = await ask(address, 'json', { headers: lenient })
  assert.equal(status, 200)
  assert.match(headers.get('x-notice') ?? '', /^include "subtitels" was ignored: .*did you mean subtitles/)
  assert.equal((body.response.subtitles as unknown[]).length, 2)
  assert.equal((await ask(address)).status, 422)
  const unknown = `${api.url}/plans?api_key=${api.channel.keys.admin}&include=videos`
  assert.equal((await ask(unknown)).status, 422)
})

test('a removed record is null, and an answer with secrets of another resource is not compressed', async () => {
  const admin = api.as('admin')
  const bought = await admin.videos.create({ title: 'Bought' })
  const fields = { consumer_id: consumerId, video_id: bought._id, provider: 'stripe' } as const
  const made = await admin.transactions.create(fields)
  await admin.videos.remove(bought._id)
  const read = await admin.transactions.get(made._id, { query: { include: ['video'] } })
  assert.equal(read.video, null)
  const { headers } = await fetch(
    `${api.url}/transactions?include=consumer&api_key=${api.channel.keys.admin}`,
    { headers: { 'accept-encoding': 'gzip' } },
  )
  assert.equal(headers.get('content-encoding'), null)
})

test('what other options add to a record is shown with include too, also with response_fields', async () => {
  const admin = api.as('admin')
  const linked = (await admin.videos.create({ title: 'Sequel' }))._id
  const { _id } = await admin.videos.create({
    title: 'Prequel',
    related_videos_attributes: [{ linked_video_id: linked }],
  })
  const query = `response_fields=title&include_related_videos=true&manifest=true&include=subtitles`
  for (const path of [`videos/${_id}?`, `videos?q=prequel&`, `videos?search=prequel&`]) {
    const { body } = await ask(`${api.url}/${path}${query}&api_key=${api.channel.keys.admin}`)
    const video = [body.response].flat()[0] as unknown as { related_videos?: { linked_video_id: string }[] }
    assert.equal(video.related_videos?.[0]?.linked_video_id, linked, path)
    const names = [
      '_id',
      'title',
      ...(path.includes('search') ? ['matches'] : []),
      'related_videos',
      'subtitles',
    ]
    assert.deepEqual(Object.keys(video).sort(), names.sort(), path)
  }
})

test('an answer does not include more related records than the limit', async () => {
  const { other } = api
  const site_id = other.channel._id
  const most = limits.included.value
  const admin = other.as('admin')
  const { _id } = await admin.playlists.create({ title: 'One' })
  const video = await admin.videos.create({ title: 'Everywhere 0' })
  for (let n = 1; n < 6; n += 1) await admin.videos.create({ title: `Everywhere ${n}` })
  await api.database.db`
    update videos set related_playlist_ids = array_fill(${_id}::text, array[${most / 5}::int])
    where site_id = ${site_id} and title like 'Everywhere%'
  `
  const { response } = await admin.videos.list({ per_page: 5, include: ['related_playlists'] })
  assert.equal(response.flatMap((each) => each.related_playlists).length, most)
  const key = `api_key=${other.keys.admin}`
  const refused = await ask(`${api.url}/videos?include=related_playlists&${key}`)
  assert.equal(refused.status, 422)
  assert.match(refused.body.message, /include would show more than 1000 related_playlists; ask for fewer/)
  await api.database.db`
    insert into subtitles (
      _id, site_id, video_id, language, title, extension_type, file_content_type, file_file_size, file_fingerprint, url, vtt
    )
    select lpad(to_hex(n), 24, '0'), ${site_id}, ${video._id}, 'en', 'Part ' || n, 'vtt', 'text/vtt', 6, n, '', 'WEBVTT'
    from generate_series(1, ${most + 1}::int) as n
  `
  assert.equal((await ask(`${api.url}/videos/${video._id}?include=subtitles&${key}`)).status, 422)
})
