/** The short form of `npm run lab -- chaos-events`: kills server, worker and PostgreSQL while a webhook is sent events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEventChaos } from '../support/chaos-events.js'
import { seededRandom } from '../support/random.js'

test('through kill -9 of any process, writes are done once and every event reaches its receiver', async (context) => {
  const report = (line: string) => context.diagnostic(line)
  const result = await runEventChaos({
    kills: 3,
    writers: 2,
    writersPauseMs: 50,
    random: seededRandom(),
    report,
  })
  context.diagnostic(`${result.events} events, ${result.deliveries} deliveries, ${result.repeated} repeated`)
  assert.deepEqual([result.wrongRecords, result.lost, result.invented], [[], [], []])
  assert.ok(result.created >= 5 && result.events >= result.created)
})
