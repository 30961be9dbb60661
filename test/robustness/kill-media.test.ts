/** The short form of `npm run lab -- chaos-media`: kills server, worker, ffmpeg and PostgreSQL while films are uploaded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FilmKillResult, runMediaChaos } from '../support/chaos-media.js'
import { seededRandom } from '../support/random.js'

let result: FilmKillResult

test('acknowledged films are complete and play, no matter which process is killed', async (context) => {
  const report = (line: string) => context.diagnostic(line)
  result = await runMediaChaos({
    kills: 4,
    uploads: 3,
    seconds: 4,
    longestMs: 20_000,
    viewersPauseMs: 400,
    random: seededRandom(),
    report,
  })
  assert.ok(result.acknowledged > 0, 'nothing was acknowledged')
  assert.deepEqual(result.lost, [])
  assert.deepEqual(result.incomplete, [])
  assert.deepEqual(result.broken, [])
  assert.ok(result.tracks >= result.acknowledged)
})

test('no viewer was sent a part of a segment', () => {
  assert.deepEqual(result.partial, [])
})

test('no job is stuck, and no file is left over after a sweep', () => {
  assert.deepEqual(result.stuckJobs, [])
  assert.deepEqual(result.orphans, [])
})
