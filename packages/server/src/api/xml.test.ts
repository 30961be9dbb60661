import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '@zoetrope/contract'
import { readXml, writeXml } from './xml.js'

const plain = async (text: string) => {
  const { root, value } = await readXml(text)
  return { [root]: JSON.parse(JSON.stringify(value)) as unknown }
}

test('what is written reads back without loss, whatever the names and texts', async () => {
  const record = {
    title: 'a & b < c > "d" \'e\'\r\n\t',
    empty: '',
    nothing: null,
    whole: 7,
    part: 1.5,
    yes: true,
    keywords: ['a', ''],
    none: [],
    custom_attributes: { 'no name': 1, '1a': { '<': '>' }, __proto__: 2, xmlish: {} },
    thumbnails: [{ url: 'u', width: null }],
  }
  const xml = writeXml('result', { response: record }, 'video', catalog.videos.fields)
  assert.deepEqual(await plain(xml), { result: { response: JSON.parse(JSON.stringify(record)) } })
})

test('a list names its records, and times carry their type', async () => {
  const xml = writeXml(
    'result',
    { response: [{ created_at: 'x', keywords: ['k'] }] },
    'video',
    catalog.videos.fields,
  )
  assert.equal(
    xml,
    '<?xml version="1.0" encoding="UTF-8"?><result><response type="array"><video><created_at type="datetime">x</created_at><keywords type="array"><keyword>k</keyword></keywords></video></response></result>',
  )
})

test('a name that comes again is a list', async () => {
  assert.deepEqual(await plain('<a><b>1</b><b>2</b><c/></a>'), { a: { b: ['1', '2'], c: '' } })
})

test('text keeps its white space, its CDATA and the entities that XML has by itself', async () => {
  assert.deepEqual(await plain('<a> x &amp;&lt;&#65;&#x1F3AC; <![CDATA[<&amp;>]]></a>'), {
    a: ' x &<A🎬 <&amp;>',
  })
})

test('document types, foreign entities, other encodings, deep and broken documents are refused', async () => {
  const refused = [
    '<!DOCTYPE a><a/>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<a>&x;</a>',
    '<a>&#x110000;</a>',
    '<a>&amp</a>',
    '<?xml version="1.0" encoding="UTF-16"?><a/>',
    `${'<a>'.repeat(22)}${'</a>'.repeat(22)}`,
    `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`,
    `<a>${'<b/>'.repeat(50_000)}</a>`,
    `<a ${'b="1" '.repeat(5000)}/>`,
    '<a><b></a></b>',
    '<a/><b/>',
    'text',
    '',
  ]
  for (const text of refused) await assert.rejects(readXml(text), { status: 422 }, text.slice(0, 60))
})
