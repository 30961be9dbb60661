import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOff } from './back-off.js'
import { eventsIn } from './event-stream.js'
import { optionsOf } from './player-json.js'
import { problemOfStatus } from './problems.js'
import { readStatus } from './status.js'

test('a status is read with and without its envelope', () => {
  const processing = { status: 'processing', progress: 30 }

  assert.deepEqual(readStatus({ response: processing }), readStatus(processing))
  assert.deepEqual(readStatus(processing), { state: 'preparing', progress: 30, message: undefined })
})

test('a video is ready once it is playable, also while more of it is made', () => {
  const status = readStatus({ status: 'processing', playable_at: '2026-01-01T00:00:00.000Z', src: '/a.m3u8' })

  assert.deepEqual(status, {
    state: 'ready',
    src: '/a.m3u8',
    file: undefined,
    poster: undefined,
    storyboard: undefined,
  })
})

test("failed and deleted videos are problems with the server's message", () => {
  assert.deepEqual(readStatus({ status: 'failed', status_reason: 'No video in it.' }), {
    state: 'problem',
    problem: { code: 'failed', message: 'No video in it.' },
  })
  assert.deepEqual(readStatus({ status: 'deleted' }), {
    state: 'problem',
    problem: { code: 'removed', message: undefined },
  })
})

test('anything else is a video that is still being prepared', () => {
  for (const odd of [null, 7, 'x', [], {}, { response: null }])
    assert.equal(readStatus(odd).state, 'preparing')
})

test('events are parsed with any chunking of the stream', async () => {
  const bytes = new TextEncoder().encode(
    ': beat\r\n\r\ndata: {"a":1}\r\n\r\nevent: x\ndata: é\ndata: b\n\ndata: lost',
  )
  for (const size of [1, 2, 7, 100]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    const found: string[] = []
    for await (const data of eventsIn(body)) found.push(data)
    assert.deepEqual(found, ['{"a":1}', 'é\nb'], `in pieces of ${size}`)
  }
})

test('HTTP statuses mean what viewers need to know', () => {
  const codes = [401, 403, 451, 404, 410, 500, 503, 0].map((status) => problemOfStatus(status).code)

  assert.deepEqual(codes, [
    ...['not_allowed', 'not_allowed', 'not_allowed', 'removed', 'removed'],
    ...['network', 'network', 'network'],
  ])
})

test('attempts come at growing distances, half a minute at most', () => {
  const waits = [1, 2, 3, 4, 5, 6, 20].map((failures) => backOff(failures, 0.5))

  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test('the player JSON becomes options, and a refusal a problem', () => {
  const thumbnails = [
    { url: '/small.jpg', width: 320 },
    { url: '/large.jpg', width: 1280 },
  ]
  const outputs = [
    { name: 'mp4', url: '/a.mp4' },
    { name: 'm3u8', url: '/a.m3u8' },
  ]

  assert.deepEqual(optionsOf(200, { response: { video: { title: 'A', thumbnails }, body: { outputs } } }), {
    title: 'A',
    poster: '/large.jpg',
    src: '/a.m3u8',
    file: '/a.mp4',
    statusUrl: undefined,
    storyboard: undefined,
    chapters: undefined,
    subtitles: undefined,
    ads: undefined,
    adsEvery: undefined,
    adsScope: undefined,
    beacon: undefined,
    accent: undefined,
    logo: undefined,
    autoplay: undefined,
    muted: undefined,
    loop: undefined,
    controls: undefined,
    start: undefined,
  })
  const file = { response: { body: { outputs: outputs.slice(0, 1) } } }
  assert.equal(optionsOf(200, file).file, '/a.mp4')
  assert.deepEqual(optionsOf(403, { message: 'No.', code: 'pass_required' }), {
    problem: 'not_allowed',
    message: 'No.',
    reason: 'pass_required',
  })
})
