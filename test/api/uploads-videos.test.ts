import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { sendRaw } from '../support/raw-http.js'
import { ask } from './ask.js'
import {
  assertNothing,
  clear,
  closing,
  film,
  headersOf,
  opening,
  type Part,
  sourcesOf,
  stream,
  upload,
} from './upload-requests.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
beforeEach(() => clear(api))
after(() => api.stop())

const path = (format = '') => `/videos${format}?api_key=${api.channel.keys.admin}`
const file: Part = ['source', film(), 'walk.mp4']

for (const format of formats)
  test(`a video is created with its film, with fields before and after the file, in ${format}`, async () => {
    const reply = await upload(
      api,
      [['video[title]', 'A walk'], file, ['video[description]', 'Through the park'], ['video[keywords][]', 'park']],
      path(`.${format}`),
    ) // biome-ignore format: one request
    assert.equal(reply.status, 201, reply.text)
    assert.match(reply.headers.get('content-type') ?? '', new RegExp(format))
    const { _id, title, description, keywords, status } = reply.body.response
    assert.deepEqual(
      { title, description, keywords, status },
      { title: 'A walk', description: 'Through the park', keywords: ['park'], status: 'processing' },
    )
    const [source] = await sourcesOf(api)
    assert.deepEqual([source?.video_id, source?.file_name, source?.bytes], [_id, 'walk.mp4', '9'])
  })

for (const format of formats)
  test(`without a file, multipart is a body like any other, in ${format}`, async () => {
    const { admin, read_only } = api.channel.keys
    const post = (parts: readonly Part[], at = `/videos.${format}`) => upload(api, parts, at)

    const made = await post([
      ['api_key', admin],
      ['video[title]', 'Only fields'],
    ])
    assert.deepEqual([made.status, made.body.response.status], [201, 'created'])
    assert.equal(made.body.response.title, 'Only fields')
    assert.equal((await post([['title', 'Bare']], path(`.${format}`))).status, 201)

    const untitled = await post([['video[description]', 'x']], path(`.${format}`))
    assert.deepEqual([untitled.status, untitled.body.errors], [422, { title: ['is required'] }])
    const replaced = await post([['_method', 'put'], ['video[title]', 'x']], path(`.${format}`)) // biome-ignore format: one request
    assert.deepEqual([replaced.status, replaced.headers.get('allow')], [405, 'GET, POST'])
    assert.equal((await post([['video[title]', 'x']])).status, 401)
    assert.equal((await post([['api_key', read_only], ['title', 'x']])).status, 403) // biome-ignore format: one request
    const twice = await post([['api_key', admin], ['title', 'x']], path(`.${format}`)) // biome-ignore format: one request
    assert.equal(twice.status, 422)
    const large = await post([['video[title]', 'x'.repeat(1_100_000)]], path(`.${format}`))
    assert.equal(large.status, 413)
    assert.equal((await api.as('admin').videos.list()).response.length, 2)
  })

test('a video can still be removed by a form that has only POST', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Kept' })
  const reply = await upload(api, [['_method', 'delete']], `/videos/${_id}?api_key=${api.channel.keys.admin}`)
  assert.equal(reply.status, 204)
})

test('the key may be a field before the file, not after it', async () => {
  const key: Part = ['api_key', api.channel.keys.admin]
  for (const at of ['/videos', '/uploads']) {
    assert.equal((await upload(api, [key, file], at)).status, 201)
    await clear(api)
    const late = await upload(api, [file, key], at)
    assert.equal(late.status, 401)
    assert.match(late.body.message, /header.*address.*before the file/)
    const twice = await upload(api, [file, key], `${at}?api_key=${api.channel.keys.admin}`)
    assert.equal(twice.status, 422)
    assert.match(twice.body.message, /exactly one credential/)
    for (const [name, value] of [
      ['api_key', api.channel.keys.read_only],
      ['app_key', api.channel.app_key],
    ] as const)
      assert.equal((await upload(api, [[name, value], file], at)).status, 403)
    await assertNothing(api)
  }
})

test('the field names of the wider contract are accepted', async () => {
  const parts: Part[] = [
    ['upload[title]', 'By its other name'],
    ['upload[active]', 'false'],
    ['upload[file]', film(), 'a.mp4'],
    ['upload[keywords][]', 'one'],
  ]
  const reply = await upload(api, parts)
  assert.equal(reply.status, 201, reply.text)
  const { title, active, keywords } = reply.body.response
  assert.deepEqual([title, active, keywords], ['By its other name', false, ['one']])
})

const refused: readonly (readonly [about: string, parts: readonly Part[], message: RegExp])[] = [
  ['two files', [file, ['source', film(), 'b.mp4']], /one file/],
  ['a file in another part', [['__proto__', film(), 'a.mp4']], /named source/],
  ['a file in a hostile part', [['video[source][x]', film(), 'a.mp4']], /named source/],
  ['a wrong field before the file', [['video[active]', 'perhaps'], file], /active/],
  ['a wrong field after the file', [file, ['video[active]', 'perhaps']], /active/],
  ['an address to fetch from', [file, ['video[source_url]', 'https://example.com/a.mp4']], /not both/],
  ['a name that is a value and a group', [['video', 'x'], ['video[title]', 'y'], file], /both as a value/],
  ['brackets beyond all depth', [[`video${'[a]'.repeat(30)}`, 'x'], file], /nest/],
] // biome-ignore format: a table
for (const [about, parts, message] of refused)
  test(`a rejected video with a film leaves nothing behind: ${about}`, async () => {
    const reply = await upload(api, parts, path())
    assert.equal(reply.status, 422, reply.text)
    assert.match(reply.body.message, message)
    await assertNothing(api)
  })

test('fields with hostile names do no harm', async () => {
  const parts: Part[] = [
    ['__proto__[title]', 'x'],
    ['constructor[prototype][title]', 'x'],
    ['video[__proto__][title]', 'x'],
    ['video[custom_attributes][__proto__]', 'own'],
    ['video[status]', 'ready'],
    ['video[media_source_id]', 'x'],
    ['toString', 'x'],
    file,
  ]
  const reply = await upload(api, parts, path())
  assert.equal(reply.status, 201, reply.text)
  assert.deepEqual([reply.body.response.title, reply.body.response.status], ['walk', 'processing'])
  assert.equal(({} as { title?: string }).title, undefined)
})

test('a caller who may not upload is refused before the file is read', async () => {
  const statuses = []
  for (const key of [api.channel.keys.read_only, 'wrong']) {
    const reply = await sendRaw(api.url, {
      method: 'POST',
      path: '/videos',
      headers: headersOf(key, 1e9),
      body: Buffer.from(`${opening()}beginning`),
    })
    statuses.push(reply.status)
  }
  assert.deepEqual(statuses, [403, 401])
  const whole = Buffer.from(`${opening()}some film${closing}`)
  const headers = [...headersOf(api.channel.keys.admin, whole.length), ['Connection', 'close'] as const]
  const made = await sendRaw(api.url, { method: 'POST', path: '/videos', headers, body: whole })
  assert.equal(made.status, 201, made.text)
})

test('memory does not grow while a large film is uploaded to /videos', async (context) => {
  await stream(api, 10_000_000, { path: '/videos' })
  const before = process.memoryUsage().rss
  let most = 0
  const onChunk = () => {
    most = Math.max(most, process.memoryUsage().rss)
  }
  const reply = await stream(api, 300_000_000, { path: '/videos', onChunk })
  assert.equal(reply.status, 201, reply.text)
  const grown = Math.round((most - before) / 1_048_576)
  context.diagnostic(`${grown} MB more`)
  assert.ok(grown < 100, `${grown} MB more`)
})

test('other bodies to /videos are read as before', async () => {
  const headers = { 'x-api-key': api.channel.keys.admin }
  const post = (type: string, body: string) =>
    ask(`${api.url}/videos`, 'json', { method: 'POST', headers: { ...headers, 'content-type': type }, body })
  assert.equal((await post('application/json', '{"title":"a"}')).status, 201)
  assert.equal((await post('video/mp4', 'film')).status, 422)
  assert.equal((await post('multipart/form-data', 'no boundary')).status, 422)
  assert.equal((await post('multipart/form-data; boundary=b', '--b')).status, 422)
})
