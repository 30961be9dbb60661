import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Format, hlsFormats } from './formats.js'
import { fraction } from './fraction.js'
import { canCopy, fitFormat, levelFor, planLadder } from './ladder.js'
import type { SourceFacts, VideoFacts } from './source-facts.js'

const source = (video: Partial<VideoFacts> = {}): SourceFacts => ({
  container: 'mov',
  bytes: 1000,
  duration: 10,
  video: {
    index: 0,
    codec: 'h264',
    profile: 'High',
    level: 40,
    pixelFormat: 'yuv420p',
    width: 1920,
    height: 1080,
    codedWidth: 1920,
    codedHeight: 1080,
    rotation: 0,
    hasSquarePixels: true,
    frameRate: fraction(30),
    hasConstantRate: true,
    isHdr: false,
    isInterlaced: false,
    duration: 10,
    bitrate: 4_000_000,
    keyFrames: [0, 4, 8],
    ...video,
  },
})
const sizes = (video: Partial<VideoFacts>, wanted: readonly Format[] = hlsFormats) =>
  planLadder(source(video), wanted).rungs.map(({ name, width, height }) => `${name} ${width}x${height}`)

test('a 16:9 source has the sizes of the table', () => {
  assert.deepEqual(sizes({}), [
    'hls_240p 426x240',
    'hls_360p 640x360',
    'hls_480p 854x480',
    'hls_720p 1280x720',
    'hls_1080p 1920x1080',
  ])
  assert.deepEqual(sizes({ width: 3840, height: 2160 }).at(-1), 'hls_1080p 1920x1080')
})

test('nothing is larger than its source, and the last rung is the source itself', () => {
  assert.deepEqual(sizes({ width: 1280, height: 720 }).at(-1), 'hls_720p 1280x720')
  assert.deepEqual(sizes({ width: 1600, height: 900 }).at(-1), 'hls_1080p 1600x900')
  assert.deepEqual(sizes({ width: 700, height: 394, codec: 'vp9' }), ['hls_240p 426x240', 'hls_360p 640x360'])
})

test('a tiny source has one rung at its own size, made even', () => {
  assert.deepEqual(sizes({ width: 161, height: 121 }), ['hls_240p 160x120'])
  assert.deepEqual(sizes({ width: 160, height: 120 }, ['hls_1080p']), ['hls_1080p 160x120'])
})

test('a portrait source turns the box, and other shapes fit into it', () => {
  assert.deepEqual(fitFormat({ width: 1080, height: 1920 }, 'hls_360p'), { width: 360, height: 640 })
  assert.deepEqual(fitFormat({ width: 1440, height: 1080 }, 'hls_360p'), { width: 480, height: 360 })
  assert.deepEqual(fitFormat({ width: 2560, height: 1080 }, 'mp4_360p'), { width: 640, height: 270 })
})

test('only requested formats are made', () => {
  assert.deepEqual(sizes({}, ['hls_360p', 'mp4_360p', 'webm_360p']), ['hls_360p 640x360'])
  assert.deepEqual(sizes({}, ['mp4_360p']), [])
})

test('the rung at the size of a simple source is copied', () => {
  const { rungs, copy } = planLadder(source(), hlsFormats)
  assert.deepEqual(copy, { can: true })
  assert.deepEqual(
    rungs.map(({ method }) => method),
    ['encode', 'encode', 'encode', 'encode', 'copy'],
  )
  assert.deepEqual(
    rungs.map(({ codecs }) => codecs),
    ['avc1.640015', 'avc1.64001E', 'avc1.64001F', 'avc1.64001F', 'avc1.640028'],
  )
})

test('the reason against a copy is given', () => {
  const reason = (video: Partial<VideoFacts>) => {
    const copy = canCopy(source(video))
    return copy.can ? 'none' : copy.reason
  }
  assert.match(reason({ codec: 'hevc' }), /hevc, not H\.264/)
  assert.match(reason({ pixelFormat: 'yuv422p10le' }), /yuv422p10le/)
  assert.match(reason({ width: 3840, height: 2160 }), /larger than 1080p/)
  assert.match(reason({ rotation: 90 }), /turned/)
  assert.match(reason({ keyFrames: [0, 11] }), /too far apart/)
  assert.match(reason({ keyFrames: undefined }), /too far apart/)
  assert.match(reason({ hasConstantRate: false }), /varies/)
  assert.equal(reason({ width: 1080, height: 1920 }), 'none')
})

test('the level follows from size and frame rate', () => {
  assert.equal(levelFor({ width: 426, height: 240 }, 30), 21)
  assert.equal(levelFor({ width: 1280, height: 720 }, 60), 32)
  assert.equal(levelFor({ width: 1920, height: 1080 }, 30), 40)
  assert.equal(levelFor({ width: 1920, height: 1080 }, 60), 42)
})
