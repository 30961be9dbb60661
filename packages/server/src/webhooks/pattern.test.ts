import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/work.js'
import { matchesPattern } from './pattern.js'

test('* stands for any characters, also none', () => {
  for (const pattern of ['video', '*', '**', 'v*', '*o', 'v*o', 'video*', '*video', '*i*e*', 'v**d*o'])
    assert.ok(matchesPattern('video', pattern), pattern)
  for (const pattern of ['', 'vide', 'videos', 'v*d', '*i*i*', 'vid*deo', 'v.deo', '*e*d*'])
    assert.ok(!matchesPattern('video', pattern), pattern)
})

test('a pattern of many * takes linear time', () => {
  assertLinear((size) => assert.ok(!matchesPattern('playlist_content_rule', `${'*'.repeat(size)}x`)), 1000)
  assertLinear((size) => assert.ok(!matchesPattern('a'.repeat(size), `${'*a'.repeat(size)}b`)), 1000)
})
