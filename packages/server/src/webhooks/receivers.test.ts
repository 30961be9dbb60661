import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claimed } from './claim.js'
import { createReceivers } from './receivers.js'

const claimed = (webhook_id: string): Claimed => ({
  ctid: '(0,1)',
  _id: webhook_id,
  site_id: 'site',
  webhook_id,
  event_id: 'event',
  attempt_count: 0,
  next_attempt_at: new Date(),
  health: 'answering',
  url: 'https://example.com/',
  host: 'example.com',
  sealed_secret: new Uint8Array(),
  previous_secret: null,
})

test('a webhook that failed rests until its next success', () => {
  const receivers = createReceivers(3_600_000)
  const [failing, live] = [claimed('failing'), claimed('live')]
  for (const one of [failing, live]) receivers.begin(one)
  assert.equal(receivers.business().sending.length, 2)
  receivers.end(failing, true)
  receivers.end(live, false)
  assert.deepEqual(receivers.business(), { sending: [], resting: ['failing'], slow: [] })
  receivers.begin(failing)
  receivers.end(failing, false)
  assert.deepEqual(receivers.business().resting, [])
})

test('a receiver that takes long is a slow one until it answers faster', (context) => {
  let now = 0
  context.mock.method(performance, 'now', () => now)
  const receivers = createReceivers(5000)
  const healths = () => receivers.business().sending.map(({ health }) => health)
  const late = claimed('late')
  receivers.begin(late)
  now = 2500
  assert.deepEqual([healths(), receivers.business().slow], [['slow'], ['late']])
  receivers.end(late, false)
  assert.deepEqual(receivers.business(), { sending: [], resting: [], slow: ['late'] })
  receivers.begin(late)
  assert.deepEqual(healths(), ['answering'])
  receivers.end(late, false)
  assert.deepEqual(receivers.business().slow, [])
})
