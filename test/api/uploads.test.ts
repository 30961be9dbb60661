import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'
import { assertNothing, clear, filesOf, film, type Part, sourcesOf, upload } from './upload-requests.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
beforeEach(() => clear(api))
after(() => api.stop())

async function contentOf(source_id: string): Promise<string> {
  const opened = await api.media.storage.read(sourceKey(source_id))
  let text = ''
  for await (const chunk of opened?.body ?? []) text += chunk
  return text
}

for (const format of formats)
  test(`a file becomes a new video that is being processed, in ${format}`, async () => {
    const reply = await upload(
      api,
      [
        ['video[title]', 'A walk'],
        ['source', film(), 'walk.mp4'],
        ['video[description]', 'Through the park'],
        ['video[keywords][]', 'park'],
      ],
      `/uploads.${format}?api_key=${api.channel.keys.admin}`,
    )
    assert.equal(reply.status, 201, reply.text)
    assert.match(reply.headers.get('content-type') ?? '', new RegExp(format))
    const { _id, title, friendly_title, description, keywords, status } = reply.body.response
    assert.deepEqual(
      { title, friendly_title, description, keywords, status },
      {
        title: 'A walk',
        friendly_title: 'a-walk',
        description: 'Through the park',
        keywords: ['park'],
        status: 'processing',
      },
    )
    const [source, ...others] = await sourcesOf(api)
    assert.ok(source)
    assert.deepEqual(others, [])
    const sha256 = createHash('sha256').update('some film').digest('hex')
    assert.deepEqual(source, { _id: source._id, video_id: _id, file_name: 'walk.mp4', bytes: '9', sha256 })
    assert.equal(await contentOf(source._id), 'some film')
    const [job] = await api.database.db`
      select payload from graphile_worker._private_jobs where payload::jsonb = ${JSON.stringify({
        site_id: api.channel.channel._id,
        source_id: source._id,
      })}::text::jsonb
    `
    assert.ok(job)
    assert.equal((await api.as('admin').videos.get(String(_id))).status, 'processing')
  })

test('without a title the video is named after its file, and the part may be named file', async () => {
  const reply = await upload(api, [['file', film(), 'My holiday.2024.mov']])
  assert.deepEqual([reply.status, reply.body.response.title], [201, 'My holiday.2024'])
})

test('a schedule sent with the file takes effect', async () => {
  const reply = await upload(api, [
    ['source', film(), 'a.mp4'],
    ['video[enable_at]', '2100-01-01T00:00:00Z'],
  ])
  assert.deepEqual([reply.status, reply.body.response.active], [201, false])
})

for (const order of ['before', 'after'] as const)
  test(`the source of a video is replaced, its id stays: video_id ${order} the file`, async () => {
    const video = await api.as('admin').videos.create({ title: 'Kept', description: 'As it was' })
    for (const text of ['first', 'second']) {
      const parts: Part[] = [['source', film(text), `${text}.mp4`]]
      parts.splice(order === 'before' ? 0 : 1, 0, ['video_id', video._id])
      const reply = await upload(api, parts)
      assert.equal(reply.status, 201, reply.text)
      const { _id, title, description, status } = reply.body.response
      assert.deepEqual([_id, title, description, status], [video._id, 'Kept', 'As it was', 'processing'])
    }
    const [row] = await api.database.db`select media_source_id from videos where _id = ${video._id}`
    assert.equal(await contentOf(String(row?.media_source_id)), 'second')
    assert.equal((await api.as('admin').videos.list()).response.length, 1)
  })

test('an unknown video_id returns 404 and leaves no file, before or after the file', async () => {
  const foreign = await api.other.as('admin').videos.create({ title: 'Of another channel' })
  const removed = await api.as('admin').videos.create({ title: 'Removed' })
  await api.as('admin').videos.remove(removed._id)
  const file: Part = ['source', film(), 'a.mp4']
  for (const id of [foreign._id, removed._id, 'f'.repeat(24), '../x', "' or true"])
    for (const parts of [
      [['video_id', id] as Part, file],
      [file, ['video_id', id] as Part],
    ]) {
      const reply = await upload(api, parts)
      assert.deepEqual([reply.status, reply.body.message], [404, 'Video not found'])
    }
  await assertNothing(api)
})

const refused: readonly (readonly [about: string, parts: readonly Part[], message: RegExp])[] = [
  ['no file', [['video[title]', 'x']], /no file/],
  ['an empty file', [['source', film(''), 'a.mp4']], /empty/],
  ['two files', [['source', film(), 'a.mp4'], ['file', film(), 'b.mp4']], /one file/],
  ['two files of the same name', [['source', film(), 'a.mp4'], ['source', film(), 'a.mp4']], /one file/],
  ['a file in another part', [['picture', film(), 'a.png']], /named source/],
  ['a wrong field before the file', [['video[active]', 'perhaps'], ['source', film(), 'a.mp4']], /active/],
  ['a wrong field after the file', [['source', film(), 'a.mp4'], ['video[active]', 'perhaps']], /active/],
  ['a video that exists and a new one', [['video_id', 'f'.repeat(24)], ['video[title]', 'x'], ['source', film(), 'a.mp4']], /not both/],
] // biome-ignore format: a table
for (const [about, parts, message] of refused)
  test(`a rejected upload leaves nothing behind: ${about}`, async () => {
    const reply = await upload(api, parts)
    assert.equal(reply.status, 422, reply.text)
    assert.match(reply.body.message, message)
    await assertNothing(api)
  })

test('a request with a file can be neither tried nor repeated, and says so', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Kept' })
  const key = `api_key=${api.channel.keys.admin}`
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '5' }
  for (const [method, path, name] of [
    ['POST', '/videos', 'source'],
    ['POST', '/uploads', 'source'],
    ['PUT', `/videos/${_id}/poster`, 'image'],
    ['POST', `/videos/${_id}/audio_tracks`, 'file'],
    ['POST', '/uploads/tus', undefined],
  ] as const) {
    const send = (query: string, headers: Record<string, string>, parts: readonly Part[] = []) => {
      const body = new FormData()
      for (const [field, value] of parts) body.append(field, value)
      return ask(`${api.url}${path}?${key}${query}`, 'json', {
        method,
        ...(name ? { body, headers } : { headers: { ...tus, ...headers } }),
      })
    }
    const file: Part[] = name ? [[name, film()]] : []
    const tried = [await send('&dry_run=true', {}, file)]
    if (name)
      tried.push(
        await send('', {}, [['dry_run', 'true'], ...file]),
        await send('', {}, [...file, ['dry_run', '1']]),
      )
    for (const { status, body, text } of tried) {
      assert.equal(status, 422, `${path}: ${text}`)
      assert.match(body.message, /^dry_run is not possible/)
    }
    const repeated = await send('', { 'idempotency-key': 'k' }, file)
    assert.equal(repeated.status, 422, `${path}: ${repeated.text}`)
    assert.match(repeated.body.message, /^Idempotency-Key is not possible/)
  }
  await api.as('admin').videos.remove(_id)
  await assertNothing(api)
})

const notMultipart = [
  ['application/json', '{"source":"x"}'],
  ['video/mp4', 'some film'],
  ['multipart/form-data', 'no boundary'],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="source"; filename="a"\r\n\r\nhalf',
  ],
] as const
for (const [type, body] of notMultipart)
  test(`a body that cannot be read is 422: ${type}`, async () => {
    const headers = { 'x-api-key': api.channel.keys.admin, 'content-type': type }
    const reply = await ask(`${api.url}/uploads`, 'json', { method: 'POST', headers, body })
    assert.equal(reply.status, 422, reply.text)
    await assertNothing(api)
  })

test('only the admin key uploads', async () => {
  const post = (credential: string) => upload(api, [['source', film(), 'a.mp4']], `/uploads${credential}`)
  const { access_token } = await api.channel.consumer()
  const statuses = []
  for (const credential of [
    '',
    '?api_key=wrong',
    `?api_key=${api.channel.keys.read_only}`,
    `?api_key=${api.channel.keys.player}`,
    `?app_key=${api.channel.app_key}`,
    `?access_token=${access_token}`,
  ])
    statuses.push((await post(credential)).status)
  assert.deepEqual(statuses, [401, 401, 403, 403, 403, 403])
  await assertNothing(api)
  assert.equal((await post(`?api_key=${api.channel.keys.admin}`)).status, 201)
})

test('other verbs are 405', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const reply = await ask(`${api.url}/uploads`, 'json', { method })
    assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'GET, POST'])
  }
})

test('ten uploads at once are ten videos', async () => {
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      upload(api, [['source', film(`film ${index}`), 'same name.mp4']]),
    ),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  assert.equal((await sourcesOf(api)).length, 10)
  assert.equal((await filesOf(api)).length, 10)
})
