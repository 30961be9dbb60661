import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { apiVersions, newestVersion } from '@zoetrope/contract'
import { formats, startApi, type TestApi } from '../support/api.js'
import { sendRaw } from '../support/raw-http.js'
import { ask } from './ask.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
  await api.as('admin').videos.create({ title: 'First' })
})
after(() => api.stop())

const origin = 'https://tv.example.com:8443'

for (const format of formats) {
  test(`every answer names the version of the API, and an unknown one is refused (${format})`, async () => {
    for (const path of ['/videos', '/nothing', '/healthz', '/videos?page=x']) {
      const { headers } = await ask(api.url + path, format, { headers: key })
      assert.equal(headers.get('zoetrope-version'), newestVersion, path)
    }
    for (const version of apiVersions) {
      const asked = { ...key, 'zoetrope-version': version }
      const { status, headers } = await ask(`${api.url}/videos`, format, { headers: asked })
      assert.deepEqual([status, headers.get('zoetrope-version')], [200, version])
    }
    const wrong = { ...key, origin, 'zoetrope-version': '2019-01-01' }
    const { status, body, headers } = await ask(`${api.url}/videos`, format, { headers: wrong })
    assert.equal(status, 422)
    assert.ok(body.message.includes(apiVersions[0]), body.message)
    assert.match(headers.get('access-control-expose-headers') ?? '', /Zoetrope-Version/)
  })

  test(`an app on another page may call with credentials, and reads errors too (${format})`, async () => {
    const paths = ['/videos', '/account', '/videos?page=x', '/videos/none', '/nothing']
    for (const path of paths) {
      const { headers } = await ask(api.url + path, format, { headers: { ...key, origin } })
      assert.equal(headers.get('access-control-allow-origin'), origin, path)
      assert.equal(headers.get('access-control-allow-credentials'), 'true', path)
      assert.match(headers.get('access-control-expose-headers') ?? '', /X-Request-Id/i)
      assert.match(headers.get('vary') ?? '', /Origin/)
    }
    const { headers, status } = await ask(`${api.url}/videos`, format, { headers: { origin } })
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [401, origin])
  })

  test(`a list has an ETag, and 304 while nothing changes (${format})`, async () => {
    const first = await ask(`${api.url}/videos`, format, { headers: key })
    const etag = String(first.headers.get('etag'))
    const again = await ask(`${api.url}/videos`, format, { headers: { ...key, 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])

    await api.as('admin').videos.create({ title: 'Another' })
    const changed = await ask(`${api.url}/videos`, format, { headers: { ...key, 'if-none-match': etag } })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })

  test(`a record has an ETag, and 304 while it is the same (${format})`, async () => {
    const { videos } = api.as('admin')
    const { _id } = await videos.create({ title: 'Tagged' })
    const path = `${api.url}/videos/${_id}`
    const etag = String((await ask(path, format, { headers: key })).headers.get('etag'))
    const conditional = { headers: { ...key, 'if-none-match': etag } }
    assert.equal((await ask(path, format, conditional)).status, 304)
    await videos.update(_id, { title: 'Changed' })
    assert.equal((await ask(path, format, conditional)).status, 200)
  })

  test(`HEAD responds like GET without a body (${format})`, async () => {
    const got = await ask(`${api.url}/videos`, format, { headers: key })
    const head = await ask(`${api.url}/videos`, format, { method: 'HEAD', headers: key })
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers.get('etag'), got.headers.get('etag'))
  })
}

test('JSON and XML of one list have different ETags', async () => {
  const [json, xml] = await Promise.all(
    [...formats].map((format) => ask(`${api.url}/videos`, format, { headers: key })),
  )
  assert.notEqual(json?.headers.get('etag'), xml?.headers.get('etag'))
})

/** Returns the bytes as they are on the wire; fetch would decompress them. */
const rawGet = (path: string, headers: readonly (readonly [string, string])[]) =>
  sendRaw(api.url, {
    method: 'GET',
    path,
    headers: [
      ['Host', 'zoetrope.test'],
      ['Connection', 'close'],
      ['X-Api-Key', key['x-api-key'] ?? ''],
      ...headers,
    ],
  })

test('lists and records above 1 kB are compressed for clients that accept it, and both forms share an ETag', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Packed' })
  const gzip = ['Accept-Encoding', 'deflate, gzip;q=0.5'] as const
  for (const path of ['/videos', '/videos.xml', `/videos/${_id}`, '/videos', '/videos']) {
    const plain = await rawGet(path, [])
    const packed = await rawGet(path, [gzip])
    assert.equal(plain.headers.get('content-encoding'), undefined)
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    assert.equal(gunzipSync(packed.body).toString(), plain.text)
    for (const { headers } of [plain, packed]) assert.match(headers.get('vary') ?? '', /Accept-Encoding/)

    const etag = plain.headers.get('etag') ?? ''
    assert.equal(packed.headers.get('etag'), `W/${etag}`)
    for (const known of [etag, `W/${etag}`])
      for (const coding of [[], [gzip]]) {
        const { status, text } = await rawGet(path, [['If-None-Match', known], ...coding])
        assert.deepEqual([status, text], [304, ''])
      }
  }
})

test('short responses and responses with secrets are not compressed, nor if the client refuses', async () => {
  const admin = api.as('admin')
  for (let index = 0; index < 3; index += 1) {
    await admin.apps.create({ title: `App ${index}` })
    await admin.consumers.create({ email: `packed-${index}@example.com` })
  }
  const plain = [
    ['/apps', 'gzip'],
    [`/apps/${api.channel.app._id}`, 'gzip'],
    ['/consumers', 'gzip'],
    ['/categories', 'gzip'],
    ['/videos', 'gzip;q=0, br'],
    ['/videos', 'identity'],
  ] as const
  for (const [path, coding] of plain) {
    const { status, headers } = await rawGet(path, [['Accept-Encoding', coding]])
    assert.deepEqual([status, headers.get('content-encoding')], [200, undefined], path)
  }
  const tokens = await sendRaw(api.url, {
    method: 'POST',
    path: '/oauth/token',
    headers: [
      ['Host', 'zoetrope.test'],
      ['Connection', 'close'],
      ['Accept-Encoding', 'gzip'],
    ],
  })
  assert.equal(tokens.headers.get('content-encoding'), undefined)
})

test('a preflight needs no credential on any path', async () => {
  for (const path of ['/videos', `/videos/${'f'.repeat(24)}`, '/account', '/nothing']) {
    const reply = await fetch(api.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-api-key,content-type',
      },
    })
    assert.equal(reply.status, 204)
    assert.equal(reply.headers.get('access-control-allow-origin'), origin)
    assert.equal(reply.headers.get('access-control-allow-credentials'), 'true')
    assert.match(reply.headers.get('access-control-allow-methods') ?? '', /GET.*POST.*PUT.*DELETE/)
    assert.equal(reply.headers.get('access-control-allow-headers'), 'x-api-key,content-type')
  }
})

/** Returns the CORS header about credentials of a preflight or of the response. */
async function allowed(path: string, headers: Record<string, string>, method = 'GET') {
  const reply = await fetch(api.url + path, { method, headers })
  return reply.headers.get('access-control-allow-credentials')
}

test('where the dashboard cookie could be used, only its own origin may send credentials', async () => {
  const asks = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'a,X-Channel-Id' }
  const named = { 'x-channel-id': api.channel.channel._id }
  const requests = [
    ['/videos', named],
    ['/videos?channel_id=x', {}],
    ['/videos?a=?&channel_id=x', {}],
    ['/videos?%63hannel_id=x', {}],
    ['/dashboard', {}],
    ['/videos', asks, 'OPTIONS'],
    ['/dashboard/api/session', { 'access-control-request-method': 'GET' }, 'OPTIONS'],
  ] as const
  for (const [path, headers, method] of requests) {
    assert.equal(await allowed(path, { ...headers, origin }, method), null, path)
    assert.equal(await allowed(path, { ...headers, origin: 'null' }, method), null, path)
    assert.equal(await allowed(path, { ...headers, origin: api.url }, method), 'true', path)
  }
  assert.equal(await allowed('/dashboard/api/session', { origin }), null)
})

test('without an Origin there are no CORS headers', async () => {
  const { headers } = await ask(`${api.url}/videos`, 'json', { headers: key })
  assert.equal(headers.get('access-control-allow-origin'), null)
})

test('cookies are neither read nor set', async () => {
  const cookie = `api_key=${api.channel.keys.admin}; access_token=x`
  const { status, headers } = await ask(`${api.url}/videos`, 'json', { headers: { cookie } })
  assert.deepEqual([status, headers.get('set-cookie')], [401, null])
})

const accepts: readonly (readonly [accept: string, format: string])[] = [
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/json', 'json'],
  ['*/*', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
]
for (const [accept, format] of accepts)
  test(`Accept: ${accept} returns ${format}`, async () => {
    const { headers } = await ask(`${api.url}/videos`, 'json', { headers: { ...key, accept } })
    assert.match(headers.get('content-type') ?? '', new RegExp(`/${format};`))
  })
