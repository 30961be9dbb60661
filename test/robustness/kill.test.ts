/** The short form of `npm run lab -- chaos`: kills the server, its PostgreSQL and both while videos are created. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChaosResult, runChaos } from '../support/chaos.js'
import { seededRandom } from '../support/random.js'

let result: ChaosResult

test('the platform recovers by itself from kill -9 of the server, of PostgreSQL and of both', async (context) => {
  const report = (line: string) => context.diagnostic(line)
  result = await runChaos({ kills: 3, writers: 2, writersPauseMs: 25, random: seededRandom(), report })
  context.diagnostic(`${result.acknowledged} of ${result.attempted} creations were acknowledged`)
  assert.equal(result.kills.length, 3)
  assert.ok(result.acknowledged > 20, `only ${result.acknowledged} acknowledged`)
})

test('every acknowledged video is there afterwards, once', () => {
  assert.deepEqual(result.lost, [])
  assert.deepEqual(result.duplicated, [])
  assert.ok(result.counts.rows >= result.acknowledged && result.counts.rows <= result.attempted)
  assert.equal(result.counts.distinctIds, result.counts.rows)
})

test('the pages, the sums behind them and a walk over all videos agree with the rows', () => {
  const { rows, ...others } = result.counts
  for (const [way, count] of Object.entries(others)) assert.equal(count, rows, way)
})
