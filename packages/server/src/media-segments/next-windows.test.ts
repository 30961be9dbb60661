import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hlsFormats } from '../media/formats.js'
import type { SourceFacts } from '../media/source-facts.js'
import { runsFor } from './make-windows.js'
import { together } from './next-windows.js'
import { audioTrack, webmTrack } from './segment-keys.js'
import { planSource, type SourcePlan } from './source-plan.js'

const planOf = (width: number, height: number, codec = 'h264'): SourcePlan => {
  const facts: SourceFacts = {
    container: 'mov',
    bytes: 1,
    duration: 300,
    video: {
      index: 0,
      codec,
      profile: 'High',
      level: 40,
      pixelFormat: 'yuv420p',
      width,
      height,
      codedWidth: width,
      codedHeight: height,
      rotation: 0,
      hasSquarePixels: true,
      frameRate: { numerator: 30, denominator: 1 },
      hasConstantRate: true,
      isHdr: false,
      isInterlaced: false,
      duration: 300,
      keyFrames: Array.from({ length: 150 }, (_, index) => index * 2),
    },
    audio: { index: 1, codec: 'mp3', channels: 2, sampleRate: 48_000, tracks: 1 },
  }
  return planSource(facts, hlsFormats)
}

const allOf = (tracks: readonly string[], from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index).flatMap((number) =>
    tracks.map((track) => ({ track, number })),
  )

test('all sizes of a window are made together, with about a minute of work at a time', () => {
  const large = planOf(1920, 1080, 'hevc')
  const tracks = [...large.rungs.map(({ name }) => name), webmTrack].sort()
  assert.equal(tracks.length, 6)
  const missing = allOf(tracks, 3, large.windows.length)
  assert.deepEqual(together(large, missing), allOf(tracks, 3, 6))

  const small = planOf(320, 180, 'hevc')
  const rungs = small.rungs.map(({ name }) => name)
  const found = together(small, allOf(rungs, 0, small.windows.length))
  assert.ok(found.length >= 15 && found.length <= 18, String(found.length))
})

test('copying covers more of the film, and is done separately', () => {
  const plan = planOf(640, 360)
  const copied = plan.rungs.filter(({ method }) => method === 'copy').map(({ name }) => name)
  assert.deepEqual(copied, ['hls_360p'])
  const missing = allOf(copied, 0, plan.windows.length)
  assert.equal(together(plan, missing).length, plan.windows.length)
  const sound = together(plan, allOf([audioTrack], 0, plan.windows.length))
  assert.ok(sound.length > 25 && sound.length < plan.windows.length)
})

test('a window that lacks fewer sizes than the one before starts its own run', () => {
  const plan = planOf(320, 180, 'hevc')
  const [name = ''] = plan.rungs.map((rung) => rung.name)
  const missing = [
    ...allOf([name, webmTrack].sort(), 0, 2),
    { track: webmTrack, number: 2 },
    ...allOf([name, webmTrack].sort(), 3, 5),
  ]
  assert.deepEqual(together(plan, missing), allOf([name, webmTrack].sort(), 0, 2))
  assert.deepEqual(
    runsFor(plan, missing).map(({ tracks, from, to }) => `${tracks.join('+')} ${from}-${to}`),
    [`${name}+${webmTrack} 0-2`, `${webmTrack} 2-3`, `${name}+${webmTrack} 3-5`],
  )
})
