import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { endpoints } from './access-targets.js'
import { newVideo } from './access-targets-videos.js'
import { ask, lenient } from './ask.js'
import { targetOf } from './wire-parts.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

const writes = endpoints.filter(({ name }) => name === 'create' || name === 'update')

for (const endpoint of writes)
  test(`${endpoint.method} ${endpoint.path} takes fields inside the wrapper and beside it, and not two values of one`, async () => {
    const { resource, method, path, success } = endpoint
    const { id, parentId, grandparentId = '', fields } = await targetOf(api, endpoint)
    const inPath = path.replace(':grandparent_id', grandparentId).replace(':parent_id', parentId)
    const send = (body: object) =>
      ask(`${api.url}${inPath.replace(':id', id)}`, 'json', {
        method,
        headers: { ...key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const [[name = '', value] = [], ...others] = Object.entries(fields)
    const rest = Object.fromEntries(others)
    if (typeof value === 'string') {
      const twice = await send({ [resource.name]: fields, [name]: `${value}x` })
      assert.equal(twice.status, 422, twice.text)
      assert.deepEqual(twice.body.errors[name], ['is given twice, with different values'])
    }
    const { status, body } = await send({ [resource.name]: rest, [name]: value })
    assert.equal(status, success, body.message)
  })

test('a field in both places with the same value counts once', async () => {
  const send = (body: object) =>
    ask(`${api.url}/videos`, 'json', {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { status, body } = await send({ video: { title: 'A', episode: '3' }, title: 'A', episode: 3 })
  assert.deepEqual([status, body.response.episode], [201, 3])
})

test('source is accepted as type of a video source in every place', async () => {
  const url = 'https://films.example/feed.xml'
  const post = async (query: string, fields: object) => {
    const { status, body } = await ask(`${api.url}/video_sources?${query}`, 'json', {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
    return [status, body.response?.type]
  }
  assert.deepEqual(await post('source=mrss', { video_source: { url } }), [201, 'mrss'])
  assert.deepEqual(await post('type=mrss', { video_source: { url } }), [201, 'mrss'])
  assert.deepEqual(await post('', { source: 'mrss', video_source: { url } }), [201, 'mrss'])
  assert.deepEqual(await post('', { video_source: { url, source: 'mrss' } }), [201, 'mrss'])
  assert.deepEqual(await post('source=mrss', { type: 'mrss', video_source: { url } }), [201, 'mrss'])
  assert.deepEqual(await post('source=mrss', { type: 'youtube', video_source: { url } }), [422, undefined])
  assert.deepEqual(await post('', { video_source: { url } }), [422, undefined])
  const count = async (query: string) =>
    (await ask(`${api.url}/video_sources?${query}`, 'json', { headers: key })).body.response.length
  assert.ok((await count('source=mrss&per_page=100')) >= 5)
  assert.equal(await count('source=youtube'), 0)
})

test('only the documented fields are read from the query of a request with a body', async () => {
  const { body } = await ask(`${api.url}/videos?title=Other&active=false`, 'json', {
    method: 'POST',
    headers: { ...key, ...lenient, 'content-type': 'application/json' },
    body: JSON.stringify({ video: { title: 'Own' } }),
  })
  assert.deepEqual([body.response.title, body.response.active], ['Own', true])
})

for (const format of formats) {
  test(`a zobject is found by its id alone (${format})`, async () => {
    const admin = api.as('admin', format)
    const { title: zobject_type } = await admin.zobject_types.create({
      title: `Type ${randomUUID()}`,
      zobject_attributes_attributes: [{ field_name: 'team' }],
    })
    const { title: another } = await admin.zobject_types.create({ title: `Type ${randomUUID()}` })
    const made = await admin.zobjects.create({
      zobject_type,
      title: 'One',
      active: true,
      team: 'red',
    } as never)
    const address = `${api.url}/zobjects/${made._id}`
    const get = (path = '') => ask(`${address}${path}`, format, { headers: key })
    assert.deepEqual((await get()).body.response, made)
    assert.equal((await get(`?zobject_type=${encodeURIComponent(another)}`)).status, 404)
    const changed = await admin.zobjects.update(made._id, { title: 'Two', team: 'blue' } as never)
    assert.deepEqual([changed.title, (changed as Record<string, unknown>).team], ['Two', 'blue'])
    const video_id = [await newVideo(api.channel)]
    assert.deepEqual((await admin.zobjects.addVideos(made._id, { video_id })).video_ids, video_id)
    assert.equal((await get('/videos')).body.response.length, 1)
    assert.equal((await get('/playlists')).status, 200)
    const foreign = await ask(address, format, { headers: { 'x-api-key': api.other.keys.admin } })
    assert.deepEqual([foreign.status, foreign.body.message], [404, 'Zobject not found'])
    assert.equal((await ask(address, format, { method: 'DELETE', headers: key })).status, 204)
    assert.deepEqual([(await get()).status, (await get()).body.message], [404, 'Zobject not found'])
    assert.equal((await ask(`${api.url}/zobjects`, format, { headers: key })).status, 404)
  })

  test(`a language is accepted by its English name or its code, in paths, fields and filters (${format})`, async () => {
    const { subtitle_playlists, subtitles, videos, feeds, program_guides, playlists } = api.as(
      'admin',
      format,
    )
    const video = await newVideo(api.channel)
    const source_url = 'https://media.example/horse/en.m3u8'
    for (const [made, named] of [
      ['English', 'english'],
      ['en', 'English'],
      ['eng', 'en'],
      ['pt_br', 'Brazilian Portuguese'],
    ] as const) {
      await subtitle_playlists.create(video, { language: made, source_url })
      const path = `${api.url}/videos/${video}/subtitle_playlists/${encodeURIComponent(named)}`
      assert.equal((await ask(path, format, { headers: key })).status, 200, named)
      assert.equal((await ask(path, format, { method: 'DELETE', headers: key })).status, 204, named)
      assert.equal((await ask(path, format, { headers: key })).status, 404, named)
    }
    const file = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n').toString('base64')
    assert.equal((await subtitles.create(video, { language: 'German', file })).language, 'de')
    for (const language of ['German', 'de', 'ger'])
      assert.equal((await subtitles.list(video, { language })).response.length, 1, language)
    assert.equal((await videos.update(video, { language: 'Spanish' })).language, 'es')
    await assert.rejects(videos.update(video, { language: 'Sindarin' }), {
      status: 422,
      message: /language must be a language by its code, such as en/,
    })
    assert.equal((await videos.update(video, { language: null })).language, null)
    const playlist_id = (await playlists.create({ title: 'For a feed' }))._id
    assert.equal((await feeds.create({ title: 'A', playlist_id, language: 'French' })).language, 'fr')
    const guide = await program_guides.create({
      name: 'A',
      url: 'https://guides.example/a.xml',
      language: ['English', 'pt_BR'],
      time_zone: 'UTC',
    })
    assert.deepEqual(guide.language, ['en', 'pt-BR'])
  })
}
