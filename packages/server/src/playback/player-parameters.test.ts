import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsIn } from './player-parameters.js'

test('a time in an address can be written in several ways', () => {
  for (const [text, seconds] of [
    ['90', 90],
    ['90s', 90],
    ['1.5', 1.5],
    ['1m30s', 90],
    ['1m30', 90],
    ['2m', 120],
    ['1h', 3600],
    ['1h2m3s', 3723],
    ['1:30', 90],
    ['1:02:03', 3723],
    ['0', 0],
  ] as const)
    assert.equal(secondsIn(text), seconds, text)
  for (const text of ['', 's', 'x', '-4', '1m30x', '1:2', '1e3', '99999999', ' 4', '1:30:'])
    assert.ok(Number.isNaN(secondsIn(text)), text)
})
