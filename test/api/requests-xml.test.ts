import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { XMLValidator } from 'fast-xml-parser'
import { startApi, type TestApi } from '../support/api.js'
import { fromXml } from '../support/xml-fetch.js'
import { ask } from './ask.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

const oddKeys = [
  '', ' ', 'a b', '1', '1a', '-', '.', 'a:b', 'a.b', 'é', '日本', '"', "'", '<', '>', '&', '&amp;', '$&', "$'", '$1', 'new\nline',
  'tab\there', 'cr\rhere', 'xml', 'XMLthing', 'entry', 'item', 'key', 'nil', 'type', '#text', ':@', '__proto__',
  'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '🎬',
] // biome-ignore format: one list, read as one

const losses: Readonly<Record<string, object>> = {
  'special characters': { title: `<b>"Tom" & 'Jerry'</b> ]]> &amp; &#13;`, description: 'ünïcödé 日本 🎬 \u00a0\u2028' },
  'line ends, tabs and spaces at the edges': { title: ' both ends ', description: '\r\na\rb\nc\td  e\r\n', genre: ' ' },
  'empty text beside null': { description: '', short_description: '', genre: '', country: null, language: null },
  'empty lists and maps': { keywords: [], custom_attributes: {}, marketplace_ids: {}, preview_ids: [] },
  'lists of one and of empty text': { keywords: [''] },
  'lists of odd text': { keywords: ['', ' ', 'a,b', '<x>', '\r\n', '0', 'true', 'null'] },
  'numbers with and without a fraction': { episode: 1.5, season: 0, rental_duration: 3, purchase_price: '4.90' },
  'small and large numbers in a map': { custom_attributes: { a: 1e-7, b: -0.1, c: 1e21, d: 123456789012345, e: 0.1 + 0.2 } },
  'every type in a map': { custom_attributes: { t: true, f: false, n: null, i: 1, x: 1.5, s: 'true', d: '1', e: '' } },
  'nested maps and lists': { custom_attributes: { a: { b: { c: [] }, d: {} }, l: [1, [2, []], { x: null }, '', {}] } },
  'times and flags': { published_at: '2024-02-29T23:59:59.999Z', featured: true, active: false, on_air_at: null },
} // biome-ignore format: a table

const odd = JSON.parse(
  `{${oddKeys.map((name) => `${JSON.stringify(name)}:${JSON.stringify(`of ${name}`)}`)}}`,
)

async function roundTrip(fields: object): Promise<[before: object, after: object]> {
  const { videos } = api.as('admin')
  const { _id } = await videos.create({ title: 'Round trip', ...fields })
  const made = await videos.get(_id)
  const { text } = await ask(`${api.url}/videos/${_id}`, 'xml', { headers: key })
  const { status, body } = await ask(`${api.url}/videos/${_id}`, 'xml', {
    method: 'PUT',
    headers: key,
    body: text,
  })
  assert.equal(status, 200, body.message)
  const now = await videos.get(_id)
  return [
    { ...made, updated_at: '' },
    { ...now, updated_at: '' },
  ]
}

for (const [about, fields] of Object.entries({
  ...losses,
  'map keys that are no names': { custom_attributes: odd },
}))
  test(`a record read as XML can be written back without loss: ${about}`, async () => {
    const [before, after] = await roundTrip(fields)
    assert.deepEqual(after, before)
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(after[name as never], value, name)
  })

for (const [about, fields] of Object.entries(losses))
  test(`XML has the same content as JSON: ${about}`, async () => {
    const { _id } = await api.as('admin').videos.create({ title: 'Same', ...fields })
    const { text } = await ask(`${api.url}/videos/${_id}`, 'xml', { headers: key })
    assert.equal(XMLValidator.validate(text), true)
    // The tests' XML reader does not decode character references, and XML readers normalize literal line ends.
    const read = JSON.stringify(fromXml(text.replaceAll('&#13;', '\ue000'))).replaceAll('\ue000', '\\r')
    assert.deepEqual(JSON.parse(read).response, await api.as('admin').videos.get(_id))
  })

test('a document with odd map keys is well-formed, and none of them is an element', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Odd', custom_attributes: odd })
  const { text } = await ask(`${api.url}/videos/${_id}`, 'xml', { headers: key })
  assert.equal(XMLValidator.validate(text), true)
  assert.match(text, /<entry key="a b">of a b<\/entry>/)
  assert.match(text, /<entry key="\$&amp;">of \$&amp;<\/entry>/)
  assert.match(text, /<entry key="new&#10;line">/)
})

test('an app and the account can be written back as they were read', async () => {
  const { apps, account } = api.as('admin')
  const app = await apps.create({ title: 'TV & co', settings: { a: [1, { b: null }] }, device_ids: [] })
  for (const [path, read] of [
    [`/apps/${app._id}`, () => apps.get(app._id)],
    ['/account', () => account.get()],
  ] as const) {
    const before = await read()
    const { text } = await ask(api.url + path, 'xml', { headers: key })
    const { status } = await ask(api.url + path, 'xml', { method: 'PUT', headers: key, body: text })
    assert.equal(status, 200)
    assert.deepEqual({ ...(await read()), updated_at: '' }, { ...before, updated_at: '' })
  }
})

test('XML lists name each record, and XML errors have the error element', async () => {
  const list = await ask(`${api.url}/apps?per_page=1`, 'xml', { headers: key })
  assert.match(
    list.text,
    /^<\?xml version="1.0" encoding="UTF-8"\?><result><response type="array"><app><_id>\w{24}<\/_id>/,
  )
  assert.match(
    list.text,
    /<\/app><\/response><pagination><current type="integer">0<\/current><previous nil="true"\/>/,
  )
  const error = await ask(`${api.url}/apps/none`, 'xml', { headers: key })
  assert.match(
    error.text,
    /^<\?xml .*\?><error><message>App not found<\/message><code>not_found<\/code><request_id>/,
  )
})
