import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { newVideo } from './access-targets-videos.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const playlist = 'https://media.example/horse/master.m3u8?v=1'
const film = 'https://media.example/horse.mp4'

interface Told {
  readonly outputs: { readonly name: string; readonly url: string }[]
  readonly subtitles: { readonly file: string }[]
}

/** Returns the data that a player gets. */
async function embed(id: string, key: string = api.channel.keys.player) {
  const { status, body } = await ask(`${api.url}/embed/${id}.json?api_key=${key}`, 'json', {})
  const told = (body.response?.body ?? { outputs: [], subtitles: [] }) as Told
  return { status, outputs: told.outputs, subtitles: told.subtitles }
}

for (const format of formats) {
  test(`a video can be created from a URL and plays from there at once (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.createSelfHosted({ url: playlist, title: 'Horse', duration: 94 })
    assert.equal(made.status, 'ready')
    assert.deepEqual([made.duration, made.active], [94, true])
    assert.ok(made.playable_at)
    assert.deepEqual(made.video_source_types, ['self_hosted'])
    const [source] = made.data_sources
    assert.deepEqual([source?.active, source?.duration, source?.status], [true, 94, 'ready'])
    assert.ok(!JSON.stringify(await api.as('app', format).videos.get(made._id)).includes('media.example'))
    assert.deepEqual((await embed(made._id)).outputs, [{ name: 'm3u8', url: playlist }])
    const hidden = await videos.createSelfHosted({ url: film, title: 'Hidden', auto_active: false })
    assert.equal(hidden.active, false)
    assert.equal(
      (await videos.list({ video_source_type: ['self_hosted'], title: 'Horse' })).response.length > 0,
      true,
    )
  })

  test(`external data sources can be created, read, changed, listed and removed (${format})`, async () => {
    const { self_hosted_sources, videos } = api.as('admin', format)
    const video = await newVideo(api.channel)
    const made = await self_hosted_sources.create(video, {
      files: [
        { url: playlist, width: 1920, height: 1080 },
        { url: 'https://media.example/sound', type: 'mp3' },
      ],
    })
    assert.deepEqual(made.files, [
      { url: playlist, type: 'hls', width: 1920, height: 1080, aspect_ratio: 1.78 },
      { url: 'https://media.example/sound', type: 'mp3', width: null, height: null, aspect_ratio: null },
    ])
    assert.deepEqual(await self_hosted_sources.get(video, made._id), made)
    const other = await self_hosted_sources.create(video, { files: [{ url: film }], duration: 7 })
    assert.equal((await self_hosted_sources.get(video, made._id)).active, false)
    assert.deepEqual((await embed(video)).outputs, [{ name: 'mp4', url: film }])
    assert.equal((await videos.get(video)).duration, 7)
    const back = await self_hosted_sources.update(video, made._id, { active: true })
    assert.deepEqual(back.files, made.files)
    assert.equal((await self_hosted_sources.get(video, other._id)).active, false)
    assert.equal((await self_hosted_sources.list(video)).response.length, 2)
    const off = await self_hosted_sources.update(video, made._id, { active: false })
    assert.equal(off.active, false)
    assert.equal((await videos.get(video)).status, 'created')
    await self_hosted_sources.remove(video, made._id)
    await self_hosted_sources.remove(video, other._id)
    const bare = await videos.get(video)
    assert.deepEqual([bare.data_sources, bare.video_source_types, bare.playable_at], [[], [], null])
    await assert.rejects(self_hosted_sources.get(video, made._id), { status: 404 })
  })

  test(`a URL must be valid and reveal its type (${format})`, async () => {
    const { self_hosted_sources, videos } = api.as('admin', format)
    const video = await newVideo(api.channel)
    for (const files of [[], [{ url: 'https://media.example/film' }], [{ url: 'ftp://media.example/a.mp4' }]])
      await assert.rejects(self_hosted_sources.create(video, { files }), { status: 422 })
    await assert.rejects(videos.createSelfHosted({ url: 'https://media.example/film.txt', title: 'x' }), {
      status: 422,
      errors: { url: ['must end in .m3u8, .mp4, .webm or .mp3'] },
    })
    await assert.rejects(videos.createSelfHosted({ url: film } as never), {
      status: 422,
      errors: { title: ['is required'] },
    })
  })

  test(`data sources of other videos and channels are not found (${format})`, async () => {
    const { self_hosted_sources } = api.as('admin', format)
    const [video, other] = [await newVideo(api.channel), await newVideo(api.channel)]
    const { _id } = await self_hosted_sources.create(video, { files: [{ url: film }] })
    await assert.rejects(self_hosted_sources.get(other, _id), { message: 'Self hosted source not found' })
    const stranger = api.other.as('admin', format).self_hosted_sources
    await assert.rejects(stranger.list(video), { status: 404, message: 'Video not found' })
    const theirs = await newVideo(api.other)
    await assert.rejects(stranger.update(theirs, _id, { active: false }), { status: 404 })
    await assert.rejects(stranger.remove(theirs, _id), { status: 404 })
  })
}

test('only viewers who may watch get the URL', async () => {
  const { videos } = api.as('admin')
  const { _id } = await videos.createSelfHosted({ url: playlist, title: 'Sold' })
  const read = (key: string) => ask(`${api.url}/videos/${_id}?manifest=true&api_key=${key}`, 'json', {})
  assert.equal((await read(api.channel.keys.read_only)).body.response.manifest, playlist)
  await videos.update(_id, { purchase_required: true })
  assert.equal((await embed(_id)).status, 403)
  assert.equal((await read(api.channel.keys.read_only)).body.response.manifest, undefined)
  assert.equal((await embed(_id, api.channel.keys.admin)).outputs[0]?.url, playlist)
})

test('the manifest of an external video redirects to its URL', async () => {
  const { _id } = await api.as('admin').videos.createSelfHosted({ url: playlist, title: 'Horse' })
  const at = (id: string) => `${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`
  const reply = await fetch(at(_id), { redirect: 'manual' })
  assert.deepEqual([reply.status, reply.headers.get('location')], [302, playlist])
  const file = await api.as('admin').videos.createSelfHosted({ url: film, title: 'Horse' })
  assert.equal((await fetch(at(file._id))).status, 404)
})

for (const format of formats)
  test(`only an external live event has a live manifest (${format})`, async () => {
    const { videos } = api.as('admin')
    const live = await videos.createSelfHosted({ url: playlist, title: 'Live', live_event: true })
    const at = (path: string, key = api.channel.keys.read_only) =>
      ask(`${api.url}${path}?api_key=${key}`, format, {})
    for (const path of [`/manifest/live/${live._id}`, `/live/manifest/${live._id}/`]) {
      const { status, body } = await at(path)
      assert.deepEqual([status, body.response._id, body.response.url], [200, live._id, playlist])
    }
    const { _id } = await videos.create({ title: 'Soon', live_event: true })
    assert.match((await at(`/manifest/live/${_id}`)).body.message ?? '', /has no stream/)
    const plain = await at(`/manifest/live/${await newVideo(api.channel)}`)
    assert.deepEqual([plain.status, plain.body.message], [404, 'This video is not a live event.'])
    const other = await at(`/manifest/live/${live._id}`, api.other.keys.admin)
    assert.deepEqual([other.status, other.body.message], [404, 'Video not found'])
  })

test("the CSP of an external video's page allows its URL, and other pages allow none", async () => {
  const page = async (id: string) => {
    const reply = await fetch(`${api.url}/embed/${id}.html?api_key=${api.channel.keys.player}`)
    return { policy: reply.headers.get('content-security-policy') ?? '', text: await reply.text() }
  }
  const { _id } = await api.as('admin').videos.createSelfHosted({ url: playlist, title: 'Horse' })
  const elsewhere = await page(_id)
  assert.match(elsewhere.policy, /connect-src [^;]* https: http:;/)
  assert.ok(elsewhere.text.includes('src="https://media.example/horse/master.m3u8?v=1"'))
  assert.doesNotMatch((await page(await newVideo(api.channel))).policy, /connect-src [^;]*https:;/)
})

test("the subtitles of an external video are in the player's data", async () => {
  const { videos, subtitles } = api.as('admin')
  const { _id } = await videos.createSelfHosted({ url: playlist, title: 'Horse' })
  const file = Buffer.from('00:00:01,000 --> 00:00:02,000\nHello').toString('base64')
  const { url } = await subtitles.create(_id, { language: 'en', file })
  assert.equal((await embed(_id)).subtitles[0]?.file, url)
})

test('an external data source can have ad timings, which are removed with it', async () => {
  const { videos, ad_timings, self_hosted_sources, video_ad_timings } = api.as('admin')
  const { _id, data_sources } = await videos.createSelfHosted({ url: playlist, title: 'Horse', duration: 10 })
  const source = data_sources[0]?._id ?? ''
  await ad_timings.create(_id, source, { time: 5 })
  await assert.rejects(ad_timings.create(_id, source, { time: 11 }), { status: 422 })
  await self_hosted_sources.remove(_id, source)
  assert.deepEqual((await video_ad_timings.list(_id)).response, [])
  const [left] = await api.database.db`select from ad_timings where video_id = ${_id}`
  assert.equal(left, undefined)
})

test('a form in the format of existing clients creates both', async () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const key = `api_key=${api.channel.keys.admin}`
  const made = await ask(`${api.url}/videos/self_hosted?${key}`, 'json', {
    method: 'POST',
    headers: type,
    body: `video[url]=${film}&video[title]=Horse&video[auto_add]=true&`,
  })
  assert.equal(made.status, 201, made.text)
  const source = await ask(`${api.url}/videos/${made.body.response._id}/self_hosted/?${key}`, 'json', {
    method: 'POST',
    headers: type,
    body: `video[active]=true&video[files][][url]=${playlist}`,
  })
  assert.equal(source.status, 201, source.text)
  assert.match(source.text, /"type": ?"hls"/)
})

test('an uploaded film is not used while an external source is active', async () => {
  const { self_hosted_sources, videos } = api.as('admin')
  const video = await newVideo(api.channel)
  const source = `f${video.slice(1)}`
  await api.database.db`
    insert into sources (_id, site_id, video_id, bytes, sha256, status)
    values (${source}, ${api.channel.channel._id}, ${video}, 9, '', 'ready')
  `
  await api.database.db`update videos set media_source_id = ${source}, status = 'ready' where _id = ${video}`
  const active = async () =>
    (await videos.get(video)).data_sources.filter((each) => each.active).map(({ _id }) => _id)
  assert.deepEqual(await active(), [source])
  const made = await self_hosted_sources.create(video, { files: [{ url: playlist }] })
  assert.deepEqual(await active(), [made._id])
  assert.deepEqual((await videos.get(video)).video_source_types, ['hosted', 'self_hosted'])
  await self_hosted_sources.remove(video, made._id)
  assert.deepEqual(await active(), [source])
  assert.equal((await videos.get(video)).status, 'ready')
})
