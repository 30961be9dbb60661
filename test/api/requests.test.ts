import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

type Form = readonly [about: string, query: string, init: () => RequestInit]

const typed = (type: string, body?: string) => () => ({
  headers: { ...key, 'content-type': type },
  ...(body === undefined ? {} : { body }),
})
const pairs = [
  ['video[title]', 'Heidi & Peter'],
  ['video[featured]', 'true'],
  ['video[season]', '2'],
  ['video[keywords][]', 'alps'],
  ['video[keywords][]', 'goat'],
  ['video[custom_attributes][color]', 'green'],
  ['video[published_at]', '2024-05-01T10:00:00+02:00'],
] as const
const query = new URLSearchParams(pairs as never).toString()
const fields = {
  title: 'Heidi & Peter',
  featured: true,
  season: 2,
  keywords: ['alps', 'goat'],
  custom_attributes: { color: 'green' },
  published_at: '2024-05-01T10:00:00+02:00',
}
const multipart = () => {
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, value)
  return { headers: key, body: form }
}
const bare = query.replaceAll(/video%5B(\w+)%5D/g, '$1')
const indexed = query
  .replace('keywords%5D%5B%5D', 'keywords%5D%5B0%5D')
  .replace('keywords%5D%5B%5D', 'keywords%5D%5B1%5D')
const xml = `<title>Heidi &amp; Peter</title><featured type="boolean">true</featured><season type="integer">2</season>
  <keywords type="array"><keyword>alps</keyword><keyword>goat</keyword></keywords>
  <custom_attributes><color>green</color></custom_attributes>
  <published_at type="datetime">2024-05-01T10:00:00+02:00</published_at>`
const bracketed = {
  'video[title]': fields.title,
  'video[featured]': true,
  'video[season]': 2,
  'video[keywords][]': fields.keywords,
  'video[custom_attributes][color]': 'green',
  'video[published_at]': fields.published_at,
}

const forms: readonly Form[] = [
  [
    'JSON wrapped in the name of the resource',
    '',
    typed('application/json', JSON.stringify({ video: fields })),
  ],
  ['JSON without a wrapper', '', typed('application/json', JSON.stringify(fields))],
  [
    'JSON whose values are all texts',
    '',
    typed('application/json', JSON.stringify({ video: { ...fields, featured: '1', season: '2' } })),
  ],
  ['JSON whose names are bracketed', '', typed('application/json', JSON.stringify(bracketed))],
  ['JSON of a vendor type', '', typed('application/vnd.api+json', JSON.stringify({ video: fields }))],
  ['a form', '', typed('application/x-www-form-urlencoded', query)],
  ['a form without a wrapper', '', typed('application/x-www-form-urlencoded', bare)],
  ['a form with numbered lists', '', typed('application/x-www-form-urlencoded', indexed)],
  ['the query string and no body', query, () => ({ headers: key })],
  ['the query string, bare, and no body', bare, () => ({ headers: key })],
  ['the query string and an empty body called JSON', query, typed('application/json')],
  ['the query string and an empty text in JSON', query, typed('application/json', '""')],
  ['the query string and null in JSON', query, typed('application/json', ' null\n')],
  ['the query string and an empty body called a form', query, typed('application/x-www-form-urlencoded')],
  ['multipart', '', multipart],
  ['XML named after the resource', '', typed('text/xml', `<video>${xml}</video>`)],
  ['XML of any name around the resource', '', typed('text/xml', `<request><video>${xml}</video></request>`)],
  [
    'XML in the shape of an answer',
    '',
    typed('application/xml', `<result><response>${xml}</response></result>`),
  ],
  [
    'XML with a declaration',
    '',
    typed('text/xml', `<?xml version="1.0" encoding="UTF-8"?>\n<video>${xml}</video>\n`),
  ],
]

for (const [about, search, init] of forms) {
  test(`a video can be created from ${about}`, async () => {
    const { status, body } = await ask(`${api.url}/videos?${search}`, 'json', { method: 'POST', ...init() })
    assert.equal(status, 201, body.message)
    const { title, featured, season, keywords, custom_attributes, published_at } = body.response
    assert.deepEqual(
      { title, featured, season, keywords, custom_attributes, published_at },
      { ...fields, published_at: '2024-05-01T08:00:00.000Z' },
    )
  })

  test(`a video can be updated from ${about}, and fields that are not sent stay`, async () => {
    const made = await api.as('admin').videos.create({ title: 'Before', genre: 'Drama', keywords: ['old'] })
    const reply = await ask(`${api.url}/videos/${made._id}?${search}`, 'json', { method: 'PUT', ...init() })
    assert.equal(reply.status, 200, reply.body.message)
    const published_at = '2024-05-01T08:00:00.000Z'
    const now = await api.as('admin').videos.get(made._id)
    assert.deepEqual(now, { ...made, ...fields, published_at, updated_at: now.updated_at })
  })
}

for (const format of formats) {
  test(`a trailing slash and a suffix are accepted on every path (${format})`, async () => {
    const { _id } = await api.as('admin').videos.create({ title: 'Suffixed' })
    for (const path of ['/videos', `/videos/${_id}`, '/apps', '/account'])
      for (const tail of ['/', '.json', '.xml', '.json/']) {
        const { status, headers } = await ask(api.url + path + tail, format, { headers: key })
        assert.equal(status, 200, path + tail)
        const type = tail.startsWith('.') ? tail.slice(1, 5).replace('/', '') : format
        assert.match(headers.get('content-type') ?? '', new RegExp(`/${type};`), path + tail)
      }
    const { status } = await ask(`${api.url}/videos/${_id}/restore/`, format, {
      method: 'POST',
      headers: key,
    })
    assert.equal(status, 404)
  })

  test(`_method in a POST overrides the method, in the query (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const { _id } = await videos.create({ title: 'Before' })
    const member = `${api.url}/videos/${_id}`
    const put = await ask(`${member}?_method=put&video[title]=After`, format, {
      method: 'POST',
      headers: key,
    })
    assert.deepEqual([put.status, put.body.response.title], [200, 'After'])
    const gone = await ask(`${member}?_method=DELETE`, format, { method: 'POST', headers: key })
    assert.equal(gone.status, 204)
    await assert.rejects(videos.get(_id), { status: 404 })
  })
}

const overrides = [
  ['a form', 'application/x-www-form-urlencoded', '_method=put&video[title]=After'],
  ['JSON', 'application/json', '{"_method":"PUT","video":{"title":"After"}}'],
  ['XML', 'text/xml', '<request><_method>put</_method><video><title>After</title></video></request>'],
] as const
for (const [about, type, body] of overrides)
  test(`_method in a POST overrides the method, in the body as ${about}`, async () => {
    const { _id } = await api.as('admin').videos.create({ title: 'Before' })
    const headers = { ...key, 'content-type': type }
    const reply = await ask(`${api.url}/videos/${_id}`, 'json', { method: 'POST', headers, body })
    assert.deepEqual([reply.status, reply.body.response.title], [200, 'After'])
  })

test('_method is ignored in a GET, and accepts only PUT and DELETE', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Kept' })
  const member = `${api.url}/videos/${_id}`
  assert.equal((await ask(`${member}?_method=delete`, 'json', { headers: key })).body.response.title, 'Kept')
  assert.equal((await ask(`${member}?_method=get`, 'json', { method: 'POST', headers: key })).status, 405)
})

test('an empty field in a form clears a nullable field and leaves others unchanged', async () => {
  const made = await api
    .as('admin')
    .videos.create({ title: 'Full', genre: 'Drama', keywords: ['a'], season: 1 })
  const names = [
    'friendly_title',
    'active',
    'published_at',
    'genre',
    'keywords',
    'season',
    'custom_attributes',
  ]
  const body = new URLSearchParams(names.map((name) => [`video[${name}]`, '']))
  const reply = await ask(`${api.url}/videos/${made._id}`, 'json', { method: 'PUT', headers: key, body })
  const now = await api.as('admin').videos.get(made._id)
  assert.equal(reply.status, 200, reply.body.message)
  assert.deepEqual(now, { ...made, genre: null, keywords: [], season: null, updated_at: now.updated_at })
})
