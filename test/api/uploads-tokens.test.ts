import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@zoetrope/sdk'
import * as tus from 'tus-js-client'
import { formats, logged, startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { until } from '../support/patience.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { ask } from './ask.js'
import { assertNothing, bytesType, callsTo, clear, metadataOf } from './tus-calls.js'
import { film, headersOf, opening, type Part, sourcesOf, upload } from './upload-requests.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
beforeEach(async () => {
  await clear(api)
  await api.database.db`delete from upload_tokens`
})
after(() => api.stop())

const { announce, append } = callsTo(() => api)

type Wanted = Parameters<ReturnType<TestApi['as']>['upload_tokens']['create']>[0]
async function newToken(wanted: Wanted = {}): Promise<string> {
  const { token } = await api.as('admin').upload_tokens.create(wanted)
  assert.ok(token)
  return token
}

const file: Part = ['source', film(), 'a.mp4']
const post = (token: string, parts: readonly Part[] = [file]) =>
  upload(api, parts, `/uploads?upload_token=${token}`)
const begin = (token: string, length = 5, fields: Record<string, string> = {}) =>
  announce(length, { 'x-api-key': '', 'x-upload-token': token, 'upload-metadata': metadataOf(fields) })
const begun = async () => (await api.as('admin').upload_tokens.list()).response.map((each) => each.begun)

for (const format of formats)
  test(`an upload token is shown once, listed without its value, and removed (${format})`, async () => {
    const { upload_tokens } = api.as('admin', format)
    const made = await upload_tokens.create({ max_bytes: 1000, uploads: 2, expires_in: 60 })
    assert.match(made.token ?? '', /^zt_upload_[0-9a-f]{40}$/)
    assert.equal(made.upload_url, `${api.url}/uploads?upload_token=${made.token}`)
    assert.equal(made.tus_url, `${api.url}/uploads/tus?upload_token=${made.token}`)
    const left = Date.parse(made.expires_at) - Date.now()
    assert.ok(left > 50_000 && left <= 61_000)
    const known = { ...made, token: null, upload_url: null, tus_url: null }
    assert.deepEqual(await upload_tokens.get(made._id), known)
    assert.deepEqual((await upload_tokens.list()).response, [known])
    const [row] = await api.database.db`select upload_tokens::text as text from upload_tokens`
    assert.ok(!String(row?.text).includes((made.token ?? '').slice(-40)))
    await upload_tokens.remove(made._id)
    assert.deepEqual((await upload_tokens.list()).response, [])
    assert.equal((await post(made.token ?? '')).status, 401)
  })

test('invalid fields of an upload token are rejected', async () => {
  const { upload_tokens, videos } = api.as('admin')
  const { _id } = await api.other.as('admin').videos.create({ title: 'Theirs' })
  const removed = await videos.create({ title: 'Removed' })
  await videos.remove(removed._id)
  for (const wanted of [{ uploads: 0 }, { uploads: 101 }, { expires_in: 86_401 }, { max_bytes: 0 }])
    await assert.rejects(upload_tokens.create(wanted), { status: 422 })
  for (const video_id of [_id, removed._id])
    await assert.rejects(upload_tokens.create({ video_id }), { status: 404, message: 'Video not found' })
})

test('in the address, in a header or in a field before the file, a token uploads a hidden video', async () => {
  const allowed_fields = ['title', 'active', 'enable_at']
  const token = await newToken({ uploads: 4, allowed_fields })
  const wish: Part[] = [
    ['video[title]', 'From a page'],
    ['video[active]', 'true'],
    ['video[enable_at]', '2020-01-01T00:00:00Z'],
    file,
  ]
  const form = new FormData()
  for (const [name, value] of wish) form.append(name, value)
  const replies = [
    await post(token, wish),
    await upload(api, wish, `/videos?upload_token=${token}`),
    await upload(api, [['upload_token', token], ...wish], '/uploads'),
    await ask(`${api.url}/videos`, 'json', {
      method: 'POST',
      body: form,
      headers: { 'x-upload-token': token },
    }),
  ]
  for (const { status, body, text } of replies) {
    assert.equal(status, 201, text)
    const { title, active, enable_at } = body.response
    assert.deepEqual([title, active, enable_at], ['From a page', false, null])
  }
  assert.equal((await post(token)).status, 403)
  const shown = await newToken({ active: true, allowed_fields })
  assert.equal((await post(shown, wish)).body.response.active, true)
})

test('a tus client uploads a film with a token', async () => {
  const path = await makeClip()
  const { size } = await stat(path)
  const { tus_url } = await api.as('admin').upload_tokens.create({})
  let video_id = ''
  await new Promise<void>((resolve, reject) => {
    const uploading = new tus.Upload(createReadStream(path), {
      endpoint: tus_url ?? '',
      uploadSize: size,
      chunkSize: 20_000,
      retryDelays: null,
      metadata: { filename: 'walk.mp4', title: 'By a token', 'video[description]': 'A walk', type: 'mp4' },
      onAfterResponse: (_request, reply) => {
        video_id = reply.getHeader('x-video-id') ?? ''
      },
      onSuccess: () => resolve(),
      onError: reject,
    })
    uploading.start()
  })
  const { title, active, status } = await api.as('admin').videos.get(video_id)
  assert.deepEqual([title, active, status], ['By a token', false, 'processing'])
  assert.equal((await fetch(tus_url ?? '', { method: 'POST', headers: { 'tus-resumable': '1.0.0', 'upload-length': '5' } })).status, 403) // biome-ignore format: one request
})

test('a page sets only the fields that its token allows', async () => {
  const token = await newToken({ active: true })
  const made = await post(token, [['title', 'A page'], ['description', 'Its words'], file]) // biome-ignore format: short
  const { title, description } = made.body.response
  assert.deepEqual([made.status, title, description], [201, 'A page', 'Its words'])

  const others = { featured: 'true', purchase_price: '0', published_at: '2020-01-01', subscription_required: 'true' } // biome-ignore format: short
  for (const [name, value] of Object.entries(others)) {
    const fresh = await newToken({ active: true })
    for (const parts of [
      [['title', 'x'], [name, value], file],
      [[`video[${name}]`, value], file],
      [file, [`upload[${name}]`, value]],
    ] as Part[][]) {
      // biome-ignore format: short
      const { status, body, text } = await post(fresh, parts)
      assert.equal(status, 422, text)
      assert.deepEqual(Object.keys(body.errors), [name])
    }
    assert.equal((await begin(fresh, 5, { title: 'x', [`video[${name}]`]: value })).status, 422)
    const allowed = await newToken({ uploads: 2, allowed_fields: [name] })
    assert.equal((await post(allowed, [[name, value], file])).status, 201)
    assert.equal((await post(allowed, [['title', 'x'], file])).status, 422)
  }
  assert.deepEqual(new Set(await begun()), new Set([0, 1]))
  assert.equal((await sourcesOf(api)).length, 5)
  await assert.rejects(newToken({ allowed_fields: ['titel'] }), { status: 422 })
  const { allowed_fields } = await api.as('admin').upload_tokens.create({})
  assert.deepEqual(allowed_fields, ['title', 'description'])
})

test('a token for one video allows uploading its film only', async () => {
  const { videos } = api.as('admin')
  const [mine, another] = [await videos.create({ title: 'Mine' }), await videos.create({ title: 'Another' })]
  const token = await newToken({ video_id: mine._id, uploads: 10 })
  assert.equal((await post(token)).body.response._id, mine._id)
  assert.equal((await post(token, [['video_id', mine._id], file])).body.response._id, mine._id)
  for (const parts of [
    [['video_id', another._id] as Part, file],
    [file, ['video_id', another._id] as Part],
  ])
    assert.equal((await post(token, parts)).status, 403)
  assert.equal((await post(token, [file, ['video[title]', 'New']])).status, 422)
  assert.equal((await begin(token, 5, { video_id: another._id })).status, 403)
  const address = (await begin(token, 5, { filename: 'x.mp4' })).headers.get('location') ?? ''
  assert.equal((await append(address, 0, 'hello')).headers.get('x-video-id'), mine._id)
  assert.deepEqual(await begun(), [3])

  const fresh = await newToken()
  assert.equal((await post(fresh, [['video_id', mine._id], file])).status, 403)
  assert.equal((await begin(fresh, 5, { video_id: mine._id })).status, 403)
  await videos.remove(mine._id)
  assert.equal((await post(token)).status, 404)
})

test('the number of uploads of a token holds, even concurrently; failed ones are not counted', async () => {
  const token = await newToken({ uploads: 3, max_bytes: 20 })
  for (const [parts, status] of [
    [[['source', film('x'.repeat(21)), 'a.mp4']], 413],
    [[['source', film(''), 'a.mp4']], 422],
    [[['video[active]', 'perhaps'], file], 422],
    [[file, file], 422],
    [[['video[title]', 'no file']], 422],
  ] as const)
    assert.equal((await post(token, parts as readonly Part[])).status, status)
  assert.equal((await begin(token, 21)).status, 413)
  assert.equal((await begin(token, 0)).status, 422)
  const wrong = { 'x-api-key': '', 'x-upload-token': token, 'content-type': bytesType }
  assert.equal((await announce(5, { ...wrong, 'upload-checksum': 'sha1 bm8=' }, 'hello')).status, 460)
  assert.deepEqual(await begun(), [0])
  await assertNothing(api)

  const replies = await Promise.all(Array.from({ length: 8 }, () => post(token)))
  const statuses = replies.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 201, 201, 403, 403, 403, 403, 403])
  assert.equal((await sourcesOf(api)).length, 3)
})

test('an interrupted upload is not counted against its token', async () => {
  const token = await newToken()
  const { hostname, port } = new URL(api.url)
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {})
  const head = headersOf('', 50_000_000)
    .filter(([name]) => name !== 'X-Api-Key')
    .map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /videos?upload_token=${token} HTTP/1.1\r\n${head.join('')}\r\n${opening()}beginning`)
  for (let tries = 0; tries < 1000 && (await begun())[0] !== 1; tries += 1) await delay(20)
  assert.deepEqual(await begun(), [1])
  assert.equal((await post(token)).status, 403)
  socket.destroy()
  for (let tries = 0; tries < 1000 && (await begun())[0] !== 0; tries += 1) await delay(20)
  assert.deepEqual(await begun(), [0])
  await assertNothing(api)
  assert.equal((await post(token)).status, 201)
})

test('an expired token starts nothing, but its running uploads continue', async () => {
  const token = await newToken({ uploads: 5 })
  const address = (await begin(token)).headers.get('location') ?? ''
  await api.database.db`update upload_tokens set expires_at = now()`
  // The token may still be cached, for up to a second.
  assert.ok([401, 403].includes((await begin(token)).status))
  api.parts.principals.forget()
  assert.equal((await begin(token)).status, 401)
  assert.equal((await post(token)).status, 401)
  assert.equal((await append(address, 0, 'hello')).status, 204)
})

test('an upload token allows only uploads', async () => {
  const token = await newToken({ uploads: 5 })
  const { _id } = await api.as('admin').videos.create({ title: 'Hidden', active: false })
  const requests = [
    ['GET', '/videos'],
    ['GET', `/videos/${_id}`],
    ['GET', `/manifest/${_id}.m3u8`],
    ['GET', `/embed/${_id}`],
    ['GET', '/uploads'],
    ['GET', '/upload_tokens'],
    ['POST', '/upload_tokens'],
    ['POST', '/videos'],
    ['POST', '/uploads'],
    ['DELETE', `/videos/${_id}`],
    ['GET', '/account'],
  ] as const
  for (const [method, path] of requests) {
    const fields = method === 'POST' ? 'title=x&length=5' : ''
    for (const [address, headers] of [
      [`${path}?upload_token=${token}&${fields}`, {}],
      [`${path}?${fields}`, { 'x-upload-token': token }],
    ] as const)
      assert.equal(
        (await ask(api.url + address, 'json', { method, headers })).status,
        403,
        `${method} ${path}`,
      )
  }
  const fields = await upload(api, [['title', 'x']], `/videos?upload_token=${token}`)
  assert.equal(fields.status, 403)
})

test('an upload token beside another credential is rejected', async () => {
  const token = await newToken({ uploads: 5 })
  const { admin } = api.channel.keys
  assert.equal((await upload(api, [file], `/uploads?upload_token=${token}&api_key=${admin}`)).status, 422)
  assert.equal((await post(token, [['api_key', admin], file])).status, 422)
  assert.equal((await post(token, [file, ['api_key', admin]])).status, 422)
  assert.equal((await announce(5, { 'x-upload-token': token })).status, 422)
  assert.equal((await ask(`${api.url}/videos?upload_token=${token}&api_key=${admin}`)).status, 422)
  for (const odd of ['x', admin, token.slice(0, -1), `${token}0`]) assert.equal((await post(odd)).status, 401)
  await assertNothing(api)
})

test('a page of another origin uploads with a token', async () => {
  const origin = 'https://studio.example'
  const preflight = await fetch(`${api.url}/uploads`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-upload-token',
    },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /x-upload-token/)
  const form = new FormData()
  form.append('source', film(), 'a.mp4')
  for (const token of [await newToken(), 'wrong']) {
    const reply = await fetch(`${api.url}/uploads`, {
      method: 'POST',
      headers: { origin, 'x-upload-token': token },
      body: form,
    })
    assert.equal(reply.headers.get('access-control-allow-origin'), origin)
    assert.equal(reply.status, token === 'wrong' ? 401 : 201)
  }
})

test('events of an upload name its caller and the request that made them', async () => {
  const { upload_tokens, events } = api.as('admin')
  const made = await upload_tokens.create({ uploads: 3 })
  const byToken = { kind: 'upload', id: made._id }
  const byKey = { kind: 'admin', id: null }
  const assertEvent = async (
    record_id: string,
    type: string,
    actor: object,
    { headers }: { headers: Headers },
  ) => {
    const { response } = await events.list({ record_id, type })
    assert.deepEqual(
      response.map((event) => [event.actor, event.request_id]),
      [[actor, headers.get('x-request-id')]],
      type,
    )
  }
  const posted = await post(made.token ?? '')
  await assertEvent(String(posted.body.response._id), 'video.created', byToken, posted)
  const direct = await upload(api, [file], `/videos?api_key=${api.channel.keys.admin}`)
  await assertEvent(String(direct.body.response._id), 'video.created', byKey, direct)

  const announced = await begin(made.token ?? '')
  const address = announced.headers.get('location') ?? ''
  const upload_id = address.split('/').at(-1) ?? ''
  await assertEvent(upload_id, 'upload.created', byToken, announced)
  const last = await append(address, 0, 'bytes')
  await assertEvent(upload_id, 'upload.finished', byToken, last)
  await assertEvent(last.headers.get('x-video-id') ?? '', 'video.created', byToken, last)
})

test('no log contains an upload token or the id of an upload', async () => {
  const token = await newToken({ uploads: 5 })
  await post(token)
  const address = (await begin(token)).headers.get('location') ?? ''
  const id = address.split('/').at(-1) ?? ''
  await append(address, 0, 'hel')
  await ask(`${api.url}/uploads/${id}?api_key=${api.channel.keys.admin}`)
  await ask(`${api.url}/uploads/${id}.xml?api_key=${api.channel.keys.admin}`, 'json', { method: 'DELETE' })
  const text = logged.join('')
  assert.ok(text.includes('/uploads/…') && text.includes('/uploads/tus/…'))
  for (const secret of [token, id]) assert.ok(!text.includes(secret))
})

test('an upload token ends with the key, its scope, or the role of the person, that made it', async () => {
  const admin = api.as('admin')
  const { _id, key } = await admin.keys.create({ name: 'Token maker', scopes: ['upload_tokens:write'] })
  const maker = createClient({ url: api.url, apiKey: key ?? '' })
  const ofKey = (await maker.upload_tokens.create({ uploads: 9 })).token ?? ''
  const narrowed = await admin.keys.create({ name: 'Narrowed', scopes: ['upload_tokens:write'] })
  const narrow = createClient({ url: api.url, apiKey: narrowed.key ?? '' })
  const ofNarrowed = (await narrow.upload_tokens.create({ uploads: 9 })).token ?? ''
  const person = await addPublisher(api, [api.channel, 'editor'])
  const { status, body } = await ask(`${api.url}/upload_tokens`, 'json', {
    method: 'POST',
    headers: { ...(await signInAs(api, person)).headers(api.channel), 'content-type': 'application/json' },
    body: '{"uploads":9}',
  })
  const ofPerson = String(body.response.token)
  const statusOf = async (token: string) => (await begin(token)).status
  const tokens = [ofKey, ofNarrowed, ofPerson]
  assert.deepEqual([status, ...(await Promise.all(tokens.map(statusOf)))], [201, 201, 201, 201])
  await admin.keys.remove(_id)
  await admin.keys.update(narrowed._id, { scopes: ['videos:read'] })
  await admin.users.update(person._id, { role: 'viewer' })
  for (const token of tokens) await until('the end of the token', async () => (await statusOf(token)) === 401)
})
