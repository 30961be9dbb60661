import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { acceptsGzip, compress, weakTag } from './compression.js'

const accepted: readonly (readonly [header: string | undefined, accepts: boolean])[] = [
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['x-gzip', true],
  ['*', true],
  ['identity', false],
  ['br', false],
  ['gzip;q=0', false],
  ['gzip;q=0.000, *', false],
  ['gzip ; Q=0', false],
  ['gzip;q=0.001', true],
  ['*;q=0', false],
  ['br, *;q=0, gzip', true],
  ['notgzip', false],
]
for (const [header, accepts] of accepted)
  test(`Accept-Encoding ${header} ${accepts ? 'allows' : 'does not allow'} gzip`, () => {
    assert.equal(acceptsGzip(header), accepts)
  })

test('short and long answers are compressed without loss', async () => {
  for (const length of [1, 20_000, 400_000]) {
    const text = 'é'.repeat(length)
    const compressed = await new Promise<Buffer | undefined>((resolve) => compress(text, resolve))
    assert.equal(gunzipSync(compressed ?? '').toString(), text)
  }
})

test('a tag becomes weak once', () => {
  assert.equal(weakTag('"a"'), 'W/"a"')
  assert.equal(weakTag('W/"a"'), 'W/"a"')
})
