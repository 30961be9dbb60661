import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '@zoetrope/contract'
import { json, startServer } from '../test/server.js'
import { type ClientOptions, createClient } from './index.js'

const id = '65f0c0ffee0123456789abcd'
const parent = '65f0bada550123456789abcd'
const pagination = {
  current: 0,
  previous: null,
  next: null,
  per_page: 10,
  pages: 1,
  total: 1,
  next_cursor: null,
}

test('every operation uses its method and path', async (t) => {
  const { url, seen } = await startServer(t, (reply, { method }) => {
    if (method === 'DELETE') reply.writeHead(204).end()
    else json(reply, 200, { response: { _id: id } })
  })
  const { videos } = createClient({ url, apiKey: 'key' })

  await videos.list({ sort: 'title', 'title!': ['A', 'B'], active: 'all' })
  assert.deepEqual(await videos.get(id), { _id: id })
  assert.deepEqual(await videos.create({ title: 'One' }), { _id: id })
  assert.deepEqual(await videos.update(id, { title: 'Two' }), { _id: id })
  assert.equal(await videos.remove(id), undefined)

  assert.deepEqual(
    seen.map(({ method, url }) => `${method} ${url}`),
    [
      'GET /videos?sort=title&title![]=A&title![]=B&active=all',
      `GET /videos/${id}`,
      'POST /videos',
      `PUT /videos/${id}`,
      `DELETE /videos/${id}`,
    ],
  )
})

test('fields are sent as JSON under the name of the resource, dates as ISO 8601', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 201, { response: {} }))
  const { videos } = createClient({ url, apiKey: 'key' })

  await videos.create({ title: 'One', enable_at: new Date('2024-05-01'), keywords: ['a'] })
  await videos.update(id, { description: null, country: undefined })

  assert.equal(seen[0]?.headers['content-type'], 'application/json')
  assert.deepEqual(
    seen.map(({ body }) => body),
    [
      { video: { title: 'One', enable_at: '2024-05-01T00:00:00.000Z', keywords: ['a'] } },
      { video: { description: null } },
    ],
  )
})

test('a list is its records and its pagination', async (t) => {
  const page = { response: [{ _id: id }], pagination }
  const { url } = await startServer(t, (reply) => json(reply, 200, page))

  assert.deepEqual(await createClient({ url, apiKey: 'key' }).apps.list(), page)
})

test('actions are methods, with fields where they have any', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, { response: { _id: id } }))
  const { apps, videos } = createClient({ url, apiKey: 'key' })

  assert.deepEqual(await videos.restore(id), { _id: id })
  await apps.rotate(id)
  await apps.rotate(id, { overlap: 60 })

  assert.deepEqual(
    seen.map(({ method, url, body }) => [method, url, body]),
    [
      ['POST', `/videos/${id}/restore`, undefined],
      ['POST', `/apps/${id}/rotate`, undefined],
      ['POST', `/apps/${id}/rotate`, { app: { overlap: 60 } }],
    ],
  )
})

test('a single resource has no id and no list', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, { response: { title: 'Mine' } }))
  const { account } = createClient({ url, apiKey: 'key' })

  assert.equal((await account.get()).title, 'Mine')
  await account.update({ first_page: 1 })

  assert.deepEqual(Object.keys(account), ['get', 'update'])
  assert.deepEqual(
    seen.map(({ method, url, body }) => [method, url, body]),
    [
      ['GET', '/account', undefined],
      ['PUT', '/account', { account: { first_page: 1 } }],
    ],
  )
})

test('methods of nested resources take the id of the parent first', async (t) => {
  const { url, seen } = await startServer(t, (reply, { method, url }) => {
    if (method === 'DELETE') reply.writeHead(204).end()
    else json(reply, 200, { response: /favorites(\?|$)/.test(url) ? [{ _id: id }] : { _id: id }, pagination })
  })
  const { linked_devices, video_favorites } = createClient({ url, accessToken: 'token' })

  assert.deepEqual(await video_favorites.list(parent, { video_id: id }), {
    response: [{ _id: id }],
    pagination,
  })
  await video_favorites.create(parent, { video_id: id })
  assert.deepEqual(await video_favorites.get(parent, id), { _id: id })
  assert.equal(await video_favorites.remove(parent, id), undefined)
  const walked = []
  for await (const each of video_favorites.all(parent, { per_page: 5 })) walked.push(each)
  await linked_devices.get(parent, id)

  assert.deepEqual(walked, [{ _id: id }])
  assert.deepEqual(
    seen.map(({ method, url, body }) => [`${method} ${url}`, body]),
    [
      [`GET /consumers/${parent}/video_favorites?video_id=${id}`, undefined],
      [`POST /consumers/${parent}/video_favorites`, { video_favorite: { video_id: id } }],
      [`GET /consumers/${parent}/video_favorites/${id}`, undefined],
      [`DELETE /consumers/${parent}/video_favorites/${id}`, undefined],
      [`GET /consumers/${parent}/video_favorites?per_page=5`, undefined],
      [`GET /consumers/${parent}/devices/${id}`, undefined],
    ],
  )
})

test('a collection action takes no id, and one with a message returns nothing', async (t) => {
  const { url, seen } = await startServer(t, (reply) =>
    json(reply, 200, { message: 'A mail is on its way.' }),
  )
  const { consumers } = createClient({ url, appKey: 'key' })

  assert.equal(await consumers.forgotPassword({ email: 'ada@example.com' }), undefined)
  assert.equal(await consumers.endSessions(id), undefined)

  assert.deepEqual(
    seen.map(({ method, url, body }) => [`${method} ${url}`, body]),
    [
      ['PUT /consumers/forgot_password', { consumer: { email: 'ada@example.com' } }],
      [`POST /consumers/${id}/end_sessions`, undefined],
    ],
  )
})

test('an action of a single resource takes only its fields, in the query when it reads', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 201, { response: { pin: 'zizm529' } }))
  const { own_app, pin } = createClient({ url, appKey: 'key' })

  assert.equal((await pin.acquire({ linked_device_id: 'tv-1', type: 'Roku' })).pin, 'zizm529')
  await pin.status({ linked_device_id: 'tv-1' })
  await pin.link({ consumer_id: id, pin: 'zizm529' })
  await own_app.get()

  assert.deepEqual(Object.keys(own_app), ['get'])
  assert.deepEqual(
    seen.map(({ method, url, body }) => [`${method} ${url}`, body]),
    [
      ['POST /pin/acquire', { pin: { linked_device_id: 'tv-1', type: 'Roku' } }],
      ['GET /pin/status?linked_device_id=tv-1', undefined],
      ['PUT /pin/link', { pin: { consumer_id: id, pin: 'zizm529' } }],
      ['GET /app', undefined],
    ],
  )
})

test('custom attributes are filtered by their names', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, { response: [], pagination }))
  await createClient({ url, apiKey: 'key' }).consumers.list({ custom: { plan: 'gold', seats: 3 } })

  assert.equal(seen[0]?.url, '/consumers?custom[plan]=gold&custom[seats]=3')
})

test('the client has a namespace for every resource of the catalog', () => {
  const client = createClient({ url: 'http://localhost', apiKey: 'key' })
  assert.deepEqual(Object.keys(client), Object.keys(catalog))
})

test('the credential is sent in a header and never in the URL', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, { response: {} }))
  await createClient({ url, apiKey: 'one' }).account.get()
  await createClient({ url, appKey: 'two' }).account.get()
  await createClient({ url, accessToken: 'three' }).account.get()

  assert.equal(seen[0]?.headers['x-api-key'], 'one')
  assert.equal(seen[1]?.headers['x-app-key'], 'two')
  assert.equal(seen[2]?.headers.authorization, 'Bearer three')
  assert.ok(seen.every(({ url }) => url === '/account'))
})

test('anything but exactly one credential throws at once', () => {
  const url = 'http://localhost'
  const refusal = { message: 'Give exactly one of apiKey, appKey, accessToken, uploadToken and session.' }
  assert.throws(() => createClient({ url } as ClientOptions), refusal)
  assert.throws(() => createClient({ url, apiKey: '' }), refusal)
  assert.throws(() => createClient({ url, apiKey: 'a', appKey: 'b' } as unknown as ClientOptions), refusal)
})

test('the base address may have a path, with or without a slash at its end', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, { response: {} }))
  await createClient({ url: `${url}/media/api`, apiKey: 'key' }).videos.get(id)
  await createClient({ url: `${url}/media/api/`, apiKey: 'key' }).videos.get(id)

  assert.deepEqual(
    seen.map(({ url }) => url),
    [`/media/api/videos/${id}`, `/media/api/videos/${id}`],
  )
})

test('an id cannot change the path', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, { response: {} }))
  const { sessions, videos } = createClient({ url, apiKey: 'key' })

  await assert.rejects(videos.get(''), { message: "'' is not an id." })
  await assert.rejects(videos.remove('..'), { message: "'..' is not an id." })
  await assert.rejects(sessions.get('', id), { message: "'' is not an id." })
  await assert.rejects(sessions.remove(parent, '.'), { message: "'.' is not an id." })
  assert.equal(seen.length, 0)

  await videos.get('../apps?q=1')
  assert.equal(seen[0]?.url, '/videos/../apps?q=1')
})

test('if a session has ended, the request waits for a new one and is sent again', async (t) => {
  const { url, seen } = await startServer(t, (reply, { headers }) =>
    headers['x-csrf-token'] === 'fresh'
      ? json(reply, 200, { response: { _id: id } })
      : json(reply, 401, { message: 'Who?' }),
  )
  const session = { channelId: parent, csrfToken: 'stale' }
  const renewed = createClient({ url, session: { ...session, renew: async () => 'fresh' } })
  assert.deepEqual(await renewed.videos.create({ title: 'Kept' }), { _id: id })
  assert.deepEqual(
    seen.map(({ method, body }) => [method, body]),
    Array(2).fill(['POST', { video: { title: 'Kept' } }]),
  )
  const inVain = createClient({ url, session: { ...session, renew: async () => 'stale too' } })
  await assert.rejects(inVain.videos.get(id), { status: 401 })
  await assert.rejects(createClient({ url, session }).videos.get(id), { status: 401 })
})
