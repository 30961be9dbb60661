import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasTag } from './conditional.js'

test('a tag is found in a list, weak or strong, and a star stands for any tag', () => {
  for (const header of ['"abc"', 'W/"abc"', '"x", W/"abc"', '"x" ,"abc"', '"a,b","abc"', '*', ' * '])
    for (const etag of ['"abc"', 'W/"abc"']) assert.equal(hasTag(header, etag), true, `${header} ${etag}`)
})

test('a tag that only contains another one, or stands in its quotes, is not that tag', () => {
  for (const header of [
    undefined,
    '',
    '"abcd"',
    '"xabc"',
    'abc',
    '"x,abc"',
    '"*"',
    '"x", *',
    'w/abc',
    '"abc',
  ])
    assert.equal(hasTag(header, '"abc"'), false, String(header))
})

test('a long header takes time in proportion to its length', () => {
  const begun = performance.now()
  for (const header of ['"'.repeat(100_000), 'W/'.repeat(50_000), '"a",'.repeat(25_000)])
    assert.equal(hasTag(header, '"abc"'), false)
  assert.ok(performance.now() - begun < 1000)
})
