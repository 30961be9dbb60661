import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@zoetrope/contract'
import { type Format, formats, startApi, type TestApi } from '../support/api.js'
import { ask, type Reply } from './ask.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

const send = (
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  accept = 'application/json',
): Promise<Reply> =>
  ask(`${api.url}/videos`, 'json', {
    method: 'POST',
    headers: { ...key, accept, 'content-type': type },
    body,
  })

const deep = (open: string, close: string) => open.repeat(2000) + close.repeat(2000)
const unreadable: readonly (readonly [about: string, type: string, body: string | Uint8Array<ArrayBuffer>])[] = [
  ['JSON that breaks off', 'application/json', '{"video":{"title":"x"'],
  ['JSON that is a list', 'application/json', '[1]'],
  ['JSON that is text', 'application/json', '"video"'],
  ['JSON that is a number', 'application/json', '0'],
  ['JSON that nests too deep', 'application/json', `{"title":"x","custom_attributes":${deep('{"a":', '}')}}`.replace('}}', '1}}')],
  ['JSON that is not UTF-8', 'application/json', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['JSON in another encoding', 'application/json; charset=utf-16', '{}'],
  ['XML that breaks off', 'text/xml', '<video><title>x</title>'],
  ['XML with two roots', 'text/xml', '<video><title>x</title></video><video/>'],
  ['XML that is no XML', 'text/xml', 'title=x'],
  ['XML that nests too deep', 'text/xml', `<video>${deep('<a>', '</a>')}</video>`],
  ['XML in another encoding', 'text/xml', '<?xml version="1.0" encoding="ISO-8859-1"?><video><title>x</title></video>'],
  ['XML with a document type', 'text/xml', '<!DOCTYPE video><video><title>x</title></video>'],
  ['XML with an entity', 'text/xml', '<!DOCTYPE v [<!ENTITY e "x">]><video><title>&e;</title></video>'],
  ['XML with an external entity', 'text/xml', '<!DOCTYPE v [<!ENTITY e SYSTEM "file:///etc/passwd">]><video><title>&e;</title></video>'],
  ['XML with an unknown entity', 'text/xml', '<video><title>&nbsp;</title></video>'],
  ['multipart that breaks off', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx'],
  ['multipart without a boundary', 'multipart/form-data', '--b\r\n\r\nx\r\n--b--'],
  ['a type nobody knows', 'text/plain', 'title=x'],
  ['a name that is a value and a group', 'application/x-www-form-urlencoded', 'video=1&video[title]=2'],
  ['more parameters than the limit', 'application/x-www-form-urlencoded', 'a=1&'.repeat(limits.parameters.value + 1)],
] // biome-ignore format: a table

for (const [about, type, body] of unreadable)
  test(`a body cannot be read: ${about}`, async () => {
    const reply = await send(type, body)
    assert.deepEqual([reply.status, reply.body.code], [422, 'invalid'], reply.text)
    assert.ok(reply.body.message.length > 10)
    assert.equal((await api.as('admin').videos.list()).response.length, 0)
  })

test('a path that does not exist returns 404 with any body', async () => {
  const bodies = [
    ['application/json', ''],
    ['application/json', '""'],
    ['application/json', '{"video":'],
    ['application/json', '{"title":"x"}'],
    ['application/x-www-form-urlencoded', 'a=1&a[b]=2'],
    ['text/xml', '<video>'],
    ['multipart/form-data; boundary=b', '--b'],
    ['text/plain', 'x'.repeat(2 * limits.body_bytes.value)],
  ] as const
  for (const [type, body] of bodies)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const headers = { ...key, 'content-type': type }
      const reply = await ask(`${api.url}/nothing`, 'json', { method, headers, body })
      assert.deepEqual([reply.status, reply.body.code], [404, 'not_found'], `${method} ${type}`)
    }
})

test('a file in a field that takes none is rejected by name', async () => {
  const body = new FormData()
  body.set('video[title]', 'With a picture')
  body.set('app[picture]', new Blob(['x']), 'picture.png')
  const reply = await ask(`${api.url}/apps`, 'json', { method: 'POST', headers: key, body })
  assert.deepEqual([reply.status, reply.body.message], [422, 'This path takes no files (app[picture]).'])
})

const long = 'x'.repeat(limits.body_bytes.value + 1)
const large: readonly (readonly [string, string])[] = [
  ['application/json', `{"title":"${long}"}`],
  ['application/x-www-form-urlencoded', `title=${long}`],
  ['text/xml', `<video><title>${long}</title></video>`],
  [
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="title"\r\n\r\n${long}\r\n--b--\r\n`,
  ],
  ['text/plain', long],
]
for (const [type, body] of large)
  test(`a body above the limit is 413: ${type}`, async () => {
    const reply = await send(type, body)
    assert.deepEqual([reply.status, reply.body.code], [413, 'too_large'], reply.text.slice(0, 200))
    assert.ok(reply.body.message)
  })

const failures: readonly (readonly [status: number, code: string, path: string, init?: RequestInit])[] = [
  [401, 'unauthorized', '/videos'],
  [404, 'not_found', '/nothing'],
  [404, 'not_found', '/'],
  [404, 'not_found', '/videos/1/2/3'],
  [404, 'not_found', '/videos/none?api_key='],
  [404, 'not_found', `/videos/${'A'.repeat(24)}?api_key=`],
  [404, 'not_found', `/videos/${'f'.repeat(24)}?api_key=`],
  [404, 'not_found', `/videos/${'f'.repeat(25)}?api_key=`],
  [404, 'not_found', `/videos/${'f'.repeat(300)}?api_key=`],
  [404, 'not_found', '/videos/%00?api_key='],
  [404, 'not_found', '/videos/%zz?api_key='],
  [405, 'method_not_allowed', '/videos', { method: 'PUT' }],
  [405, 'method_not_allowed', '/videos', { method: 'PATCH' }],
  [405, 'method_not_allowed', '/videos?_method=delete', { method: 'POST' }],
  [422, 'invalid', '/videos?page=x&api_key='],
  [422, 'invalid', '/videos?order[a]=b&api_key='],
  [422, 'invalid', '/videos?page[a]=b&api_key='],
  [422, 'invalid', '/videos?active[a]=b&api_key='],
  [422, 'invalid', '/videos?order=up&api_key='],
  [422, 'invalid', '/videos?sort=description&api_key='],
  [422, 'invalid', '/videos?api_key=', { method: 'POST' }],
]

async function failing(path: string, format: Format, init?: RequestInit): Promise<Reply> {
  return ask(api.url + path.replace('api_key=', `api_key=${api.channel.keys.admin}`), format, init)
}

for (const format of formats)
  for (const [status, code, path, init] of failures)
    test(`${init?.method ?? 'GET'} ${path.slice(0, 60)} is ${status} with message, code and request id (${format})`, async () => {
      const { body, headers, ...reply } = await failing(path, format, init)
      assert.deepEqual([reply.status, body.code], [status, code], reply.text)
      assert.equal(typeof body.message, 'string')
      assert.ok(body.request_id)
      assert.equal(headers.get('x-request-id'), body.request_id)
      assert.match(headers.get('content-type') ?? '', new RegExp(`^application/${format};`))
    })

test('a wrong method gets the list of allowed ones', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'x' })
  const allows = async (path: string, method: string) =>
    (await ask(api.url + path, 'json', { method, headers: key })).headers.get('allow')
  assert.equal(await allows('/videos', 'DELETE'), 'GET, POST')
  assert.equal(await allows(`/videos/${_id}`, 'POST'), 'GET, PUT, DELETE')
  assert.equal(await allows(`/videos/${_id}/restore`, 'GET'), 'POST')
  assert.equal(await allows('/account', 'POST'), 'GET, PUT')
})

for (const format of formats)
  test(`all errors are reported at once, field by field (${format})`, async () => {
    const wrong = {
      title: '',
      season: -1,
      parental_guidelines_rating: 'x',
      discovery_url: 'here',
      purchase_price: 'a lot',
    }
    const refused = api.as('admin', format).videos.create(wrong as never)
    await assert.rejects(refused, (error: { errors: object; status: number }) => {
      assert.deepEqual(Object.keys(error.errors).sort(), Object.keys(wrong).sort())
      return error.status === 422
    })
  })

test('each request has its own id', async () => {
  const ids = await Promise.all(
    Array.from({ length: 20 }, () => ask(`${api.url}/videos`, 'json', { headers: key })),
  )
  assert.equal(new Set(ids.map(({ headers }) => headers.get('x-request-id'))).size, 20)
})
