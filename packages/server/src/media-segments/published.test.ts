import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Format, formatNames, hlsFormats } from '../media/formats.js'
import type { SourceFacts } from '../media/source-facts.js'
import {
  mp4Rung,
  neededTracks,
  publishedRungs,
  publishedTracks,
  publishesHls,
  tracksOfFile,
} from './published.js'
import { planSource } from './source-plan.js'

const facts = (width: number, height: number): SourceFacts =>
  ({
    container: 'avi',
    duration: 10,
    bitrate: 1_000_000,
    video: {
      index: 0,
      codec: 'mpeg4',
      width,
      height,
      frameRate: { numerator: 30, denominator: 1 },
      hasConstantRate: true,
      duration: 10,
      rotation: 0,
      hasSquarePixels: true,
      isInterlaced: false,
      isHdr: false,
      pixelFormat: 'yuv420p',
    },
    audio: { index: 1, codec: 'mp3', channels: 2, sampleRate: 48_000 },
  }) as unknown as SourceFacts

const planOf = (width: number, height: number) => planSource(facts(width, height), hlsFormats)
const names = (width: number, height: number, wanted: readonly Format[]) =>
  publishedRungs(planOf(width, height), wanted).map(({ name }) => name)

test('requested rungs are published', () => {
  assert.deepEqual(names(7680, 4320, formatNames), hlsFormats)
  assert.deepEqual(names(1920, 1080, ['hls_720p', 'hls_240p']), ['hls_240p', 'hls_720p'])
  assert.deepEqual(names(1920, 1080, ['mp4_360p']), [])
})

test('if all requested rungs are larger than the source, its largest is published', () => {
  assert.deepEqual(names(854, 480, ['hls_1080p', 'hls_720p']), ['hls_480p'])
  assert.deepEqual(names(160, 120, ['hls_1080p']), ['hls_240p'])
  assert.deepEqual(names(854, 480, ['hls_240p', 'hls_1080p']), ['hls_240p'])
})

test('audio belongs to HLS', () => {
  const plan = planOf(640, 360)
  assert.deepEqual(publishedTracks(plan, ['hls_240p']), ['audio', 'hls_240p'])
  assert.deepEqual(publishedTracks(plan, ['mp4_360p', 'webm_360p']), [])
  assert.deepEqual([publishesHls(['mp4_360p']), publishesHls(['hls_720p', 'mp4_360p'])], [false, true])
})

test('an MP4 is joined from the largest rung up to 360p', () => {
  assert.deepEqual(
    [mp4Rung(planOf(1920, 1080))?.name, mp4Rung(planOf(320, 180))?.name],
    ['hls_360p', 'hls_240p'],
  )
  assert.deepEqual(tracksOfFile(planOf(1920, 1080), 'mp4_360p'), ['audio', 'hls_360p'])
  assert.deepEqual(tracksOfFile(planOf(1920, 1080), 'webm_360p'), ['webm_360p'])
})

test('the inputs of a file are needed until the file exists', () => {
  const plan = planOf(1920, 1080)
  const wanted = ['hls_240p', 'mp4_360p'] as const
  const before = neededTracks(plan, wanted, () => false)
  assert.deepEqual([...before].sort(), ['audio', 'hls_240p', 'hls_360p', 'mp4_360p.mp4'])
  assert.deepEqual([...neededTracks(plan, wanted, () => true)].sort(), ['audio', 'hls_240p', 'mp4_360p.mp4'])
})
