/** The short form of `npm run lab -- chaos-nodes`: kills servers, workers and ffmpeg of an installation with several machines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runNodeChaos } from '../support/chaos-nodes.js'
import { seededRandom } from '../support/random.js'

test('with two servers and two workers that share no folder, kill -9 of any process loses nothing', async (context) => {
  const report = (line: string) => context.diagnostic(line)
  const result = await runNodeChaos({
    kills: 3,
    uploads: 3,
    seconds: 3,
    longestMs: 30_000,
    viewersPauseMs: 400,
    random: seededRandom(),
    report,
  })
  assert.ok(result.acknowledged > 0, 'nothing was acknowledged')
  const { lost, incomplete, broken, partial, orphans, stuckJobs, returned } = result
  assert.deepEqual(
    { lost, incomplete, broken, partial, orphans, stuckJobs, returned },
    { lost: [], incomplete: [], broken: [], partial: [], orphans: [], stuckJobs: [], returned: [] },
  )
  assert.ok(result.tracks >= result.acknowledged - result.deleted)
})
