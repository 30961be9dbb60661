import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInFlight } from './in-flight.js'
import type { Claimed } from './room.js'

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
  const inFlight = createInFlight(3_600_000)
  const [failing, live] = [claimed('failing'), claimed('live')]
  for (const one of [failing, live]) inFlight.begin(one)
  assert.equal(inFlight.busy().sending.length, 2)
  inFlight.end(failing, true)
  inFlight.end(live, false)
  const { sending, resting, slow } = inFlight.busy()
  assert.deepEqual([sending, resting, slow], [[], ['failing'], []])
  inFlight.begin(failing)
  inFlight.end(failing, false)
  assert.deepEqual(inFlight.busy().resting, [])
})
