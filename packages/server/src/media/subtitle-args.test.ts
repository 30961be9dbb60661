import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notNegative } from './subtitle-args.js'

test('lines that begin before the first picture begin with it', () => {
  const vtt = 'WEBVTT\n\n00:-1.-177 --> 00:00.823\n- Hello - 1\n\n00:00.923 --> 00:01.223\n-1:2\n'
  assert.equal(
    notNegative(vtt),
    'WEBVTT\n\n00:00.000 --> 00:00.823\n- Hello - 1\n\n00:00.923 --> 00:01.223\n-1:2\n',
  )
})
