import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createSharedPace } from './pace.js'

test('slices run in their order, one in each turn of the event loop', async () => {
  const pace = createSharedPace({ restPerWork: 3, burstMs: 1000 })
  const done: number[] = []
  for (let index = 0; index < 5; index += 1) void pace(() => done.push(index))
  assert.deepEqual(done, [])
  for (let turns = 0; turns < 5; turns += 1) {
    const before = done.length
    await turn()
    assert.ok(done.length <= before + 1)
  }
  await pace(() => {})
  assert.deepEqual(done, [0, 1, 2, 3, 4])
})

test('after more work than the burst allows, others get three times as long', async () => {
  let now = 0
  const pace = createSharedPace({ restPerWork: 3, burstMs: 10 }, () => now)
  const startedAt: number[] = []
  const slice = () => {
    startedAt.push(now)
    now += 20
  }
  const slices = [pace(slice), pace(slice)]
  await slices[0]
  // It is in debt for ten milliseconds, so it rests for thirty.
  for (let turns = 0; turns < 5; turns += 1) await turn()
  assert.deepEqual(startedAt, [0])
  now += 31
  await slices[1]
  assert.equal(startedAt.length, 2)
})

test('a slice that throws fails alone', async () => {
  const pace = createSharedPace({ restPerWork: 3, burstMs: 10 })
  const failing = pace(() => {
    throw new Error('unreadable')
  })
  const next = pace(() => 'read')
  await assert.rejects(failing, /unreadable/)
  assert.equal(await next, 'read')
})
