/** The short form of `npm run lab -- chaos-storage`: kills the process that moves films from one storage to another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStorageChaos } from '../support/chaos-storage.js'
import { seededRandom } from '../support/random.js'

test('through kill -9 of the move every object can be read, and removed ones do not come back', async (context) => {
  const report = (line: string) => context.diagnostic(line)
  const options = { kills: 3, objects: 80, longestLifeMs: 300 }
  const result = await runStorageChaos({ ...options, random: seededRandom(), report })
  context.diagnostic(`${result.kills} kills, ${result.reads} reads, ${result.changes} changes`)
  const { missing, wrong, returned, leftOver } = result
  assert.deepEqual(
    { missing, wrong, returned, leftOver },
    { missing: [], wrong: [], returned: [], leftOver: [] },
  )
  assert.ok(result.kills >= 3 && result.moves >= 1 && result.reads > 0)
})
