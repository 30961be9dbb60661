import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { aacFrame } from '../../packages/server/src/media/audio-plan.js'
import { toNumber } from '../../packages/server/src/media/fraction.js'
import type { MediaParts } from '../../packages/server/src/media-segments/media-parts.js'
import { audioTrack } from '../../packages/server/src/media-segments/segment-keys.js'
import { ensureAhead } from '../../packages/server/src/media-segments/segments.js'
import { type ClipWish, makeClip } from '../support/clip.js'
import { type Films, openFilms, tracksOf } from '../support/films.js'
import { breaksIn, readTrack } from '../support/joined.js'
import { patienceMs } from '../support/patience.js'

let films: Films
before(async () => {
  films = await openFilms()
})
after(() => films.close())

/** The expected properties of a film's largest rendition. */
interface Expected {
  readonly size?: string
  readonly rate?: number
  readonly seconds?: number
  /** 0 means no sound. */
  readonly channels?: number
  readonly isCopied?: boolean
}

/** Publishes a film, and checks its largest pictures and its sound. */
async function publish(path: string, expected: Expected): Promise<void> {
  const source = await films.source(path)
  const { plan } = source
  const all = plan.windows.flatMap((_, number) => tracksOf(source).map((track) => ({ track, number })))
  await ensureAhead(films.workers[0] as MediaParts, source, all)
  const rung = plan.rungs.at(-1)
  if (expected.size && rung) {
    assert.equal(
      rung.method === 'copy',
      expected.isCopied ?? false,
      `the pictures are made by ${rung.method}`,
    )
    await checkPictures(await films.joined(source, rung.name), plan.grid.borders.at(-1) ?? 0, expected)
  } else assert.equal(rung, undefined)
  assert.equal(plan.audio !== undefined, expected.channels !== 0)
  if (plan.audio) await checkSound(await films.joined(source, audioTrack), expected)
}

async function checkPictures(path: string, frames: number, expected: Expected): Promise<void> {
  const { size, rate = 30, seconds = 2 } = expected
  const { facts: video, frames: decoded } = await readTrack(path)
  assert.equal(`${video.width}x${video.height}`, size)
  assert.equal(video.pix_fmt, 'yuv420p')
  assert.ok([undefined, '1:1', '0:1'].includes(video.sample_aspect_ratio as string), 'square pixels')
  assert.ok([undefined, 'progressive', 'unknown'].includes(video.field_order as string), 'progressive')
  assert.ok(!['smpte2084', 'arib-std-b67'].includes(video.color_transfer as string), 'not HDR')
  // ffprobe guesses the first rate. For a single picture, some versions guess that it is one of two fields.
  const rates = [video.r_frame_rate, video.avg_frame_rate].map(String)
  assert.ok(
    rates.some((text) => Math.abs(numberIn(text) - rate) < 0.01),
    `${rates.join()} frames a second`,
  )
  assert.ok(Math.abs(frames - seconds * rate) <= 2, `${frames} frames in ${seconds} s`)
  assert.equal(decoded, frames)
}

function numberIn(fraction: string): number {
  const [over = 0, under = 1] = fraction.split('/').map(Number)
  return over / under
}

async function checkSound(path: string, { seconds = 2, channels = 2 }: Expected): Promise<void> {
  const { facts: audio, packets } = await readTrack(path)
  assert.deepEqual([audio.codec_name, audio.channels], ['aac', channels])
  const times = packets.map(({ pts }) => pts)
  assert.deepEqual(breaksIn(times, aacFrame), [])
  const lasting = (packets.length * aacFrame) / Number(audio.sample_rate)
  assert.ok(Math.abs(lasting - seconds) < 0.1, `${lasting} s of sound`)
}

const whole = { size: '160x90' } as const
/** For films whose pictures alone are unusual. */
const silent = { audio: 'none' } as const
const seldomKeys = { keyEvery: 200, more: ['-sc_threshold', '1000000000'] } as const
const tenBits = { pixelFormat: 'yuv420p10le', codec: 'libx265' } as const
const hdr = { ...tenBits, isHdr: true } as const
const plays: readonly (readonly [name: string, wish: ClipWish, expected: Expected])[] = [
  ['portrait', { ...silent, size: '90x160' }, { size: '90x160', channels: 0, isCopied: true }],
  ['portrait, encoded', { ...silent, size: '96x480', codec: 'mpeg4' }, { size: '96x480', channels: 0 }],
  ['4:3', { ...silent, size: '160x120', codec: 'mpeg4' }, { size: '160x120', channels: 0 }],
  ['odd sides', { ...silent, size: '161x121', pixelFormat: 'yuv444p' }, { size: '160x120', channels: 0 }],
  ['tiny', { ...silent, size: '64x36' }, { size: '64x36', channels: 0, isCopied: true }],
  ['a rate that varies, in MP4', { hasVariableRate: true }, { ...whole, rate: 25 }],
  ['a rate that varies, in Matroska', { hasVariableRate: true, container: 'mkv' }, { ...whole, rate: 25 }],
  ['turned by 90°', { rotate: 90 }, { size: '90x160' }],
  ['turned by 180°', { ...silent, rotate: 180 }, { ...whole, channels: 0 }],
  ['turned by 270°', { ...silent, rotate: 270 }, { size: '90x160', channels: 0 }],
  [
    'pixels that are not square',
    { ...silent, size: '120x90', sampleAspect: '4/3' },
    { ...whole, channels: 0 },
  ],
  ['HDR', { ...hdr, ...silent, seconds: 1 }, { ...whole, seconds: 1, channels: 0 }],
  ['ten bits', { ...silent, ...tenBits, seconds: 1 }, { ...whole, seconds: 1, channels: 0 }],
  [
    'interlaced',
    { ...silent, size: '160x96', isInterlaced: true, rate: '50' },
    { size: '160x96', rate: 25, channels: 0 },
  ],
  ['5.1 channels', { channels: 6 }, { ...whole, isCopied: true }],
  ['mono', { channels: 1 }, { ...whole, channels: 1, isCopied: true }],
  ['silent', silent, { ...whole, channels: 0, isCopied: true }],
  ['sound alone, AAC', { codec: 'none', container: 'm4a' }, {}],
  ['sound alone, MP3', { codec: 'none', container: 'mp3', audio: 'mp3' }, {}],
  ['120 frames a second', { ...silent, rate: '120' }, { ...whole, rate: 60, channels: 0 }],
  ['HEVC', { codec: 'libx265' }, whole],
  ['VP9 and Opus in WebM', { codec: 'libvpx-vp9', container: 'webm', audio: 'opus' }, whole],
  ['a transport stream', { codec: 'mpeg2video', container: 'ts', audio: 'mp2' }, whole],
  ['H.264 in a transport stream', { container: 'ts' }, whole],
  ['MPEG-4 in AVI', { codec: 'mpeg4', container: 'avi', audio: 'mp3' }, whole],
  ['FLV', { container: 'flv' }, whole],
  ['ProRes in MOV', { codec: 'prores', pixelFormat: 'yuv422p10le', container: 'mov' }, whole],
  [
    'key frames 20 s apart',
    { ...silent, seconds: 22, rate: '10', keyEvery: 200 },
    { ...whole, rate: 10, seconds: 22, channels: 0 },
  ],
  [
    'a transport stream with key frames 8 s apart',
    { container: 'ts', seconds: 10, rate: '10', keyEvery: 80 },
    { ...whole, rate: 10, seconds: 10 },
  ],
  [
    'a program stream with key frames 8 s apart',
    { container: 'mpg', codec: 'mpeg2video', audio: 'mp2', seconds: 10, rate: '25', ...seldomKeys },
    { ...whole, rate: 25, seconds: 10 },
  ],
  [
    'a single picture',
    { ...silent, more: ['-frames:v', '1'] },
    { ...whole, seconds: 1 / 30, channels: 0, isCopied: true },
  ],
  ['its index in front', { more: ['-movflags', '+faststart'] }, { ...whole, isCopied: true }],
  [
    'fragments instead of an index',
    { more: ['-movflags', '+frag_keyframe+empty_moov'] },
    { ...whole, isCopied: true },
  ],
  ['times that begin below zero', { more: ['-output_ts_offset', '-0.5'] }, { ...whole, seconds: 1.5 }],
]

for (const [name, wish, expected] of plays)
  test(`plays as it should: ${name}`, async () => publish(await makeClip({ ...whole, ...wish }), expected))

const ffmpeg = (args: readonly string[]) =>
  promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { timeout: patienceMs })

test('plays as it should: pictures that begin after the sound', async () => {
  const clip = await makeClip({ ...whole, seconds: 3 })
  const late = clip.replace('.mp4', '.late.mp4')
  await ffmpeg([
    '-itsoffset',
    '1.5',
    '-i',
    clip,
    '-i',
    clip,
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c',
    'copy',
    late,
  ])
  await publish(late, { ...whole, seconds: 4.5 })
})

test('what lies beside the film is left out: covers, subtitles, data, more sound', async () => {
  const clip = await makeClip(whole)
  const at = (name: string) => join(films.folder, name)
  await writeFile(at('words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n')
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=64x64', '-frames:v', '1', at('cover.png')])
  const copy = ['-c', 'copy']
  await ffmpeg(
    [
      ['-i', clip, '-i', at('cover.png'), '-map', '0', '-map', '1'],
      copy,
      ['-disposition:v:1', 'attached_pic'],
    ]
      .flat()
      .concat(at('cover.mp4')),
  )
  await publish(at('cover.mp4'), { ...whole, isCopied: true })
  await ffmpeg(['-i', clip, '-i', at('words.srt'), '-map', '0', '-map', '1', ...copy, at('words.mkv')])
  await publish(at('words.mkv'), { ...whole, isCopied: true })
  await ffmpeg(['-i', clip, ...copy, '-timecode', '01:00:00:00', at('data.mov')])
  await publish(at('data.mov'), { ...whole, isCopied: true })
  await ffmpeg(['-i', clip, '-map', '0', '-map', '0:a', '-map', '0:a', ...copy, at('languages.mp4')])
  await publish(at('languages.mp4'), { ...whole, isCopied: true })
  assert.equal((await films.look(at('languages.mp4'))).audio?.tracks, 3)
  // A second video stream in a format that is never decoded. The first stream is fine.
  const rare = await makeClip({
    codec: 'magicyuv',
    container: 'avi',
    size: '64x64',
    audio: 'none',
    seconds: 1,
  })
  await ffmpeg(['-i', clip, '-i', rare, '-map', '0', '-map', '1', ...copy, at('two.mkv')])
  await publish(at('two.mkv'), whole)
})

test('damage in the middle, or a missing end, costs pictures and not the film', async () => {
  const bytes = Buffer.from(await readFile(await makeClip({ ...whole, codec: 'mpeg4', seconds: 4 })))
  for (let at = 0; at < 400; at += 1) bytes[Math.floor(bytes.length / 2) + at] = (at * 37) & 255
  const damaged = join(films.folder, 'damaged.mp4')
  await writeFile(damaged, bytes)
  const source = await films.source(damaged)
  const all = source.plan.windows.flatMap((_, number) => tracksOf(source).map((track) => ({ track, number })))
  await ensureAhead(films.workers[0] as MediaParts, source, all)
  const [rung] = source.plan.rungs
  const path = await films.joined(source, rung?.name ?? '')
  assert.equal((await readTrack(path)).frames, source.plan.grid.borders.at(-1))
  assert.equal(toNumber(source.plan.grid.frameRate), 30)

  // Matroska has no index that could be missing. The part missing at the end becomes a still picture.
  const mkv = await readFile(await makeClip({ ...whole, container: 'mkv', codec: 'mpeg4', seconds: 4 }))
  const short = join(films.folder, 'short.mkv')
  await writeFile(short, mkv.subarray(0, Math.floor(mkv.length * 0.7)))
  const rest = await films.source(short)
  await ensureAhead(
    films.workers[0] as MediaParts,
    rest,
    rest.plan.windows.flatMap((_, number) => rest.plan.rungs.map(({ name }) => ({ track: name, number }))),
  )
  const file = await films.joined(rest, rest.plan.rungs[0]?.name ?? '')
  assert.equal((await readTrack(file)).frames, rest.plan.grid.borders.at(-1))
})
