import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonMeter } from './body-meter.js'

const measure = (...pieces: string[]) => {
  const meter = jsonMeter()
  for (const piece of pieces) meter(Buffer.from(piece))
}

test('brackets in a text are not counted, wherever the body is cut into pieces', () => {
  const text = JSON.stringify({ a: `\\"\\\\${'['.repeat(30)}\\`, b: '"', [`${'{'.repeat(30)}"`]: [1] })
  for (let at = 0; at <= text.length; at += 1)
    for (const length of [1, 2, 7])
      measure(text.slice(0, at), text.slice(at, at + length), text.slice(at + length))
})

test('brackets outside of texts are counted, wherever the body is cut into pieces', () => {
  const text = `{"a\\"":${'['.repeat(24)}${']'.repeat(24)}}`
  for (let at = 0; at <= text.length; at += 1)
    assert.throws(() => measure(text.slice(0, at), text.slice(at)), /nest at most 20/)
})
