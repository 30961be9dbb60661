import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Format, hlsFormats } from '../media/formats.js'
import { fraction } from '../media/fraction.js'
import type { VideoFacts } from '../media/source-facts.js'
import { planSource } from '../media-segments/source-plan.js'
import { qualityOf } from './quality.js'

function quality(width: number, height: number, wanted: readonly Format[] = hlsFormats): string {
  const video: VideoFacts = {
    ...{ index: 0, codec: 'h264', pixelFormat: 'yuv420p', hasSquarePixels: true, duration: 60 },
    ...{ width, height, codedWidth: width, codedHeight: height, frameRate: fraction(30), bitrate: 9_000_000 },
    ...{ hasConstantRate: true, isHdr: false, isInterlaced: false },
    rotation: 0,
  }
  const facts = { container: 'mov', bytes: 1e8, duration: 60, video }
  return qualityOf(planSource(facts, hlsFormats), wanted)
}

test('a sentence says which quality viewers get, and why', () => {
  assert.equal(
    quality(3840, 2160),
    'Viewers get up to 1080p: the film is 3840 × 2160, and 1080p is the largest size that is made.',
  )
  assert.equal(
    quality(1920, 1080, ['hls_240p', 'hls_720p']),
    'Viewers get up to 720p: the film is 1920 × 1080, and 720p is the largest size of the chosen formats.',
  )
  assert.equal(quality(1280, 720), 'Viewers get the full size of the film, 1280 × 720.')
  assert.equal(
    quality(1280, 720, ['mp4_360p']),
    'Viewers get up to 360p: the film is 1280 × 720, and HLS is switched off in the formats.',
  )
})
