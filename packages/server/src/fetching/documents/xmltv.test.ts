import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTimeZone } from '../../lib/time-zone.js'
import { readDocument } from '../../lib/xml-document.js'
import { readProgrammes } from './xmltv.js'

const paris = findTimeZone('Europe/Paris') ?? assert.fail()

function read(programmes: string, channel: string | null = null, languages: readonly string[] = ['en']) {
  const root = readDocument(`<tv>${programmes}</tv>`)
  return readProgrammes(root, { channel, languages, zone: paris }).map((each) => ({
    ...each,
    start: new Date(each.start).toISOString(),
    end: new Date(each.end).toISOString(),
  }))
}

test('the times of a programme use its own UTC offset, or else the guide’s time zone', () => {
  const times = (start: string, stop: string) => {
    const [programme] = read(`<programme start="${start}" stop="${stop}"><title>x</title></programme>`)
    return programme && [programme.start.slice(5, 16), programme.end.slice(5, 16)]
  }
  assert.deepEqual(times('20261115200000 +0100', '20261115203000 -0500'), ['11-15T19:00', '11-16T01:30'])
  assert.deepEqual(times('20261115200000', '202611152030'), ['11-15T19:00', '11-15T19:30'])
  assert.deepEqual(times('20261115200000 UTC', '20261115203000Z'), ['11-15T20:00', '11-15T20:30'])
  assert.equal(times('20261315200000', '20261115203000'), undefined)
  assert.equal(times('20260230200000', '20260302203000'), undefined)
  assert.equal(times('tomorrow', '20261115203000'), undefined)
  assert.equal(times('20261115200000', '20261115190000'), undefined)
})

test('programmes are in order, in the preferred language, without incomplete ones', () => {
  const [first, second, ...rest] = read(`
    <programme channel="a" start="20261115210000 +0000" stop="20261115220000 +0000"><title>Second</title></programme>
    <programme channel="a" start="20261115200000 +0000"><title lang="fr">Un</title><title lang="en-GB">One</title>
      <sub-title>Part</sub-title><desc>Long</desc><category>News</category><category>News</category></programme>
    <programme channel="a" start="20261115230000 +0000"><title>Without an end</title></programme>
    <programme channel="a" start="20261115200000 +0000"><title>At the same time</title></programme>
    <programme channel="b" start="20261115193000 +0000" stop="20261115194000 +0000"><title>Other</title></programme>
    <programme channel="a" start="20261115220000 +0000" stop="20261115230000 +0000"/>
  `)
  assert.deepEqual(first, {
    title: 'One',
    subtitle: 'Part',
    description: 'Long',
    category: ['News'],
    start: '2026-11-15T20:00:00.000Z',
    end: '2026-11-15T21:00:00.000Z',
  })
  assert.equal(second?.title, 'Second')
  assert.deepEqual(rest, [])
})

test('the channel is the one named; what is no guide, or has no such channel, is refused in words', () => {
  const one =
    '<programme channel="a" start="20261115200000" stop="20261115210000"><title>A</title></programme>'
  assert.deepEqual(
    read(one + one.replace('"a"', '"b"').replace('>A<', '>B<'), 'b').map(({ title }) => title),
    ['B'],
  )
  assert.throws(() => read(one, 'c'), /no programmes of the channel c\. It has: a\./)
  assert.throws(
    () => readProgrammes(readDocument('<rss/>'), { channel: null, languages: [], zone: paris }),
    /not an XMLTV file: its root element is rss/,
  )
})
