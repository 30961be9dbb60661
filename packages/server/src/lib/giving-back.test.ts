import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givingBack } from './giving-back.js'

test('a chunk is whole while it is used, and empty afterwards, unless it is a part of another', async () => {
  const own = [1, 2, 3].map((value) => new Uint8Array(1000).fill(value))
  const whole = new Uint8Array(1000).fill(4)
  const chunks = [...own, whole.subarray(0, 500), whole.subarray(500)]
  const seen: number[] = []
  for await (const chunk of givingBack(
    (async function* () {
      yield* chunks
    })(),
  )) {
    // The collector and other work may come in between.
    await new Promise(setImmediate)
    assert.ok(chunk.every((value) => value === chunk[0]))
    seen.push(chunk.byteLength, chunk[0] ?? 0)
  }
  assert.deepEqual(seen, [1000, 1, 1000, 2, 1000, 3, 500, 4, 500, 4])
  assert.deepEqual(
    own.map(({ byteLength }) => byteLength),
    [0, 0, 0],
  )
  assert.ok(whole.every((value) => value === 4))
})

test('who stops reading stops the body', async () => {
  let isStopped = false
  async function* body() {
    try {
      for (;;) yield new Uint8Array(10)
    } finally {
      isStopped = true
    }
  }
  for await (const chunk of givingBack(body())) if (chunk.byteLength === 10) break
  assert.ok(isStopped)
})
