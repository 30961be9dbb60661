import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type ClipWish, makeClip } from '../../../../test/support/clip.js'
import { openTestFfmpeg } from '../../../../test/support/ffmpeg.js'
import { canCopy } from './ladder.js'
import type { OpenedFfmpeg } from './open-ffmpeg.js'
import { probeSource } from './probe.js'
import { readFacts } from './read-facts.js'
import { type RefusalCode, SourceRefused } from './source-facts.js'

let ffmpeg: OpenedFfmpeg
let folder: string
before(async () => {
  ffmpeg = (await openTestFfmpeg()).need()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-probe-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const probe = async (request: ClipWish) => probeSource(ffmpeg, await makeClip(request))

async function refuse(contents: string | Buffer, code: RefusalCode): Promise<void> {
  const path = join(folder, 'upload.mp4')
  await writeFile(path, contents)
  await assert.rejects(probeSource(ffmpeg, path), (error) => {
    assert.ok(error instanceof SourceRefused, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, /^[A-Z].*\.$/)
    return true
  })
}

test('an ordinary MP4 is probed with its key frames', async () => {
  const { container, duration, video, audio } = await probe({ keyEvery: 15, rate: '30000/1001' })
  assert.equal(container, 'mov')
  assert.ok(Math.abs(duration - 2) < 0.05)
  assert.deepEqual(video?.frameRate, { numerator: 30_000, denominator: 1001 })
  assert.deepEqual(
    [video?.codec, video?.width, video?.height, video?.hasConstantRate],
    ['h264', 320, 180, true],
  )
  assert.deepEqual(
    video?.keyFrames?.map((time) => time.toFixed(2)),
    ['0.00', '0.50', '1.00', '1.50'],
  )
  assert.deepEqual([audio?.codec, audio?.channels, audio?.sampleRate, audio?.tracks], ['aac', 2, 48_000, 1])
  assert.equal(audio?.aacFrames?.firstSample, -1024)
})

test('the frame rate is plausible whatever the container says, and codecs are exact', async () => {
  const request = {
    keyEvery: 15,
    channels: 6,
    more: ['-profile:v', 'baseline', '-metadata:s:a:0', 'language=ger'],
  }
  const inMp4 = await probe(request)
  const inMatroska = await probe({ ...request, container: 'mkv' })
  const exact = inMp4.video?.bitrate ?? 0
  assert.ok(
    Math.abs((inMatroska.video?.bitrate ?? 0) / exact - 1) < 0.5,
    `${inMatroska.video?.bitrate} ${exact}`,
  )
  assert.deepEqual([inMp4.video?.avc?.slice(0, 4), inMatroska.video?.avc], ['42c0', inMp4.video?.avc])
  const { language, layout } = inMatroska.audio ?? {}
  assert.deepEqual([language, layout], ['de', '5.1'])
})

test('all audio tracks are found, with what the file says about each', async () => {
  const voices = [
    { hertz: 330, language: 'deu', title: 'Deutsch' },
    { hertz: 440, language: 'eng', disposition: 'default' },
    { hertz: 550, language: 'eng', disposition: 'visual_impaired' },
    { hertz: 660, language: 'eng', title: 'Commentary by the director' },
  ]
  const { audio, moreAudio = [], audioLeftOut } = await probe({ container: 'mkv', voices, seconds: 1 })
  assert.deepEqual([audio?.index, audio?.language, audio?.kind], [2, 'en', undefined])
  assert.deepEqual(
    moreAudio.map(({ index, language, title, kind }) => [index, language, title, kind]),
    [
      [1, 'de', 'Deutsch', undefined],
      [3, 'en', undefined, 'description'],
      [4, 'en', 'Commentary by the director', 'commentary'],
    ],
  )
  assert.equal(audioLeftOut, undefined)
  // Each track of an MP4 can be copied, because its first packet is known.
  const inMp4 = await probe({ voices, seconds: 1 })
  assert.ok([inMp4.audio, ...(inMp4.moreAudio ?? [])].every((each) => each?.aacFrames))
})

test('at most eight audio tracks are kept, and the others are named', () => {
  const sound = (index: number, more = {}) => ({
    ...{ index, codec_type: 'audio', codec_name: 'aac', channels: 2, sample_rate: '48000', duration: '8' },
    ...more,
  })
  const format = { format_name: 'matroska', duration: '8' }
  const streams = [
    sound(0, { codec_name: 'truehd', tags: { language: 'jpn' } }),
    ...Array.from({ length: 8 }, (_, index) => sound(index + 1)),
    sound(9, { tags: { language: 'fra', title: 'Doublage' } }),
  ]
  const { audio, moreAudio, audioLeftOut } = readFacts({ format, streams }, 1_000_000)
  assert.deepEqual([audio?.index, moreAudio?.length], [1, 7])
  assert.equal(
    audioLeftOut,
    'Audio tracks left out: number 1 (Japanese), because its format is not accepted; number 10 (French, Doublage), because a video has at most 8.',
  )
})

test('subtitles that are pictures are named, and those that are text are kept', () => {
  const track = (index: number, codec_name: string, more = {}) => ({
    ...{ index, codec_type: 'subtitle', codec_name },
    ...more,
  })
  const video = { codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', width: 320, height: 180 }
  const streams = [
    { ...video, index: 0, duration: '8' },
    track(1, 'hdmv_pgs_subtitle', { tags: { language: 'eng' } }),
    track(2, 'ass', { tags: { language: 'fre', title: 'Signs' }, disposition: { forced: 1 } }),
    track(3, 'eia_608'),
  ]
  const { subtitles, subtitlesLeftOut } = readFacts({ format: { duration: '8' }, streams }, 1_000_000)
  assert.deepEqual(subtitles, [
    {
      ...{ index: 2, name: 'number 2 (French, Signs)', language: 'fr', title: 'Signs' },
      ...{ isDefault: false, isForced: true },
    },
  ])
  assert.equal(
    subtitlesLeftOut,
    'Subtitles left out: number 1 (English), because they are pictures (hdmv_pgs_subtitle) and not text; number 3, because their format (eia_608) cannot be read.',
  )
})

test("a track's declared bit rate above its file's is ignored", () => {
  const video = { codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', width: 320, height: 180 }
  const factsOf = (bit_rate: string | undefined) =>
    readFacts({ format: { duration: '8' }, streams: [{ ...video, bit_rate, duration: '8' }] }, 1_000_000)
  assert.equal(factsOf('900000').video?.bitrate, 900_000)
  assert.equal(factsOf('12000000').video?.bitrate, 1_000_000)
  assert.equal(factsOf(undefined).video?.bitrate, 1_000_000)
})

test('key frames in a container without an index are found by reading', async () => {
  const { video } = await probe({ container: 'mkv', keyEvery: 15 })
  assert.deepEqual(video?.keyFrames?.map(Math.fround).length, 4)
  const [, second = 0] = (await probe({ container: 'ts', keyEvery: 30 })).video?.keyFrames ?? []
  assert.ok(Math.abs(second - 1) < 0.03)
})

test('a transport stream may name its service in any character set', async () => {
  // The first byte selects the character set: none, ISO 8859-5, ISO 8859-15, Korean.
  for (const prefix of ['', '\x01', '\x0b', '\x12']) {
    const more = ['-metadata', `service_name=${prefix}Caf\u00e9`]
    const { container } = await probe({ container: 'ts', seconds: 1, audio: 'none', more })
    assert.equal(container, 'mpegts')
  }
})

test('rotation and sample aspect are applied to the size', async () => {
  const turned = (await probe({ rotate: 90 })).video
  assert.deepEqual([turned?.width, turned?.height, turned?.codedWidth], [180, 320, 320])
  const wide = (await probe({ size: '240x180', sampleAspect: '4/3', audio: 'none' })).video
  assert.deepEqual([wide?.width, wide?.height, wide?.hasSquarePixels], [320, 180, false])
})

test('a variable frame rate becomes a standard one', async () => {
  const { video } = await probe({ hasVariableRate: true, audio: 'none' })
  assert.equal(video?.hasConstantRate, false)
  assert.ok([24, 25, 30].includes(video?.frameRate.numerator ?? 0), JSON.stringify(video?.frameRate))
})

test('interlaced and HDR sources are recognised', async () => {
  assert.equal((await probe({ isInterlaced: true, rate: '50', audio: 'none' })).video?.isInterlaced, true)
  const hdr = await probe({
    isHdr: true,
    pixelFormat: 'yuv420p10le',
    codec: 'libx265',
    seconds: 1,
    audio: 'none',
  })
  assert.equal(hdr.video?.isHdr, true)
})

test('silent films and audio files are both accepted', async () => {
  assert.equal((await probe({ audio: 'none' })).audio, undefined)
  const sound = await probe({ codec: 'none', container: 'm4a' })
  assert.equal(sound.video, undefined)
  assert.ok(Math.abs(sound.duration - 2) < 0.1)
})

test('playlists, scripts, pictures and text are refused before anything is opened', async () => {
  let visits = 0
  const listener = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const playlist = (address: string) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${address}\n#EXT-X-ENDLIST\n`
  try {
    await refuse(playlist('file:///etc/passwd'), 'not_media')
    await refuse(playlist(`http://127.0.0.1:${port}/a.ts`), 'not_media')
    await refuse(`ffconcat version 1.0\nfile 'http://127.0.0.1:${port}/a.mp4'\n`, 'not_media')
    await refuse(`<svg xmlns="x"><image href="http://127.0.0.1:${port}/"/></svg>`, 'not_media')
    await refuse(`v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video ${port} RTP/AVP 96\n`, 'not_media')
    await refuse('Dear reader, this is not a video.\n'.repeat(100), 'not_media')
    await refuse('', 'empty')
    // With a box in front it passes as a film, and ffmpeg opens it.
    const box = Buffer.from('\0\0\0\x08free', 'latin1')
    const rest = Buffer.from(playlist(`http://127.0.0.1:${port}/a.ts`))
    const wrapper = Buffer.alloc(8)
    wrapper.writeUInt32BE(rest.length + 8)
    wrapper.write('skip', 4)
    await refuse(Buffer.concat([box, wrapper, rest]), 'damaged')
    assert.equal(visits, 0)
  } finally {
    listener.close()
  }
})

test('films that are truncated or lack their index are refused', async () => {
  const whole = await readFile(await makeClip({ more: ['-movflags', '+faststart'] }))
  await refuse(whole.subarray(0, whole.length * 0.6), 'incomplete')
  await refuse(
    Buffer.concat([Buffer.from('\0\0\0\x08ftyp\0\0\x01\0mdat', 'latin1'), Buffer.alloc(248)]),
    'damaged',
  )
})

test('rare codecs and encrypted tracks are refused', async () => {
  const rare = await makeClip({
    codec: 'magicyuv',
    container: 'avi',
    size: '64x64',
    audio: 'none',
    seconds: 1,
  })
  await refuse(await readFile(rare), 'unknown_codec')
  const clip = await readFile(await makeClip({ audio: 'none' }))
  const locked = Buffer.from(clip)
  locked.write('encv', locked.lastIndexOf('avc1'), 'latin1')
  await refuse(locked, 'encrypted')
})

test('a film with a false size is refused', async () => {
  const clip = Buffer.from(await readFile(await makeClip({ audio: 'none', codec: 'mpeg4' })))
  const entry = clip.lastIndexOf('mp4v')
  clip.writeUInt16BE(65_535, entry + 28)
  clip.writeUInt16BE(65_535, entry + 30)
  const path = join(folder, 'liar.mp4')
  await writeFile(path, clip)
  // ffmpeg may trust the pictures over the header; then it is an ordinary film.
  const outcome = await probeSource(ffmpeg, path).catch((error: unknown) => error)
  if (!(outcome instanceof SourceRefused))
    assert.equal((outcome as { video: { width: number } }).video.width, 320)
})

test('a film whose video begins after its audio lasts until the video ends', () => {
  const video = {
    index: 0,
    codec_type: 'video',
    codec_name: 'h264',
    pix_fmt: 'yuv420p',
    width: 64,
    height: 36,
  }
  const lasting = (start_time: string, more = {}) =>
    readFacts(
      { format: { start_time: '0.0', duration: '6.0' }, streams: [{ ...video, start_time, ...more }] },
      1,
    )
  assert.equal(lasting('1.5', { duration: '4.5' }).duration, 6)
  assert.equal(lasting('1.5', { duration: '4.5' }).video?.duration, 6)
  assert.equal(lasting('0.05', { duration: '4.5' }).duration, 4.5)
  assert.equal(lasting('1.5').duration, 6)
})

test('video that begins after the audio is not copied, because it would be shown too early', async () => {
  const [clip, late] = [await makeClip({}), join(folder, 'late.mp4')]
  const shifted = ['-itsoffset', '0.5', '-i', clip, '-i', clip, '-map', '0:v', '-map', '1:a', '-c', 'copy']
  await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...shifted, late])
  const facts = await probeSource(ffmpeg, late)
  assert.ok(Math.abs((facts.video?.keyFrames?.[0] ?? 0) - 0.5) < 0.05)
  assert.ok(Math.abs(facts.duration - 2.5) < 0.05)
  assert.equal(canCopy(facts).can, false)
})

test('limits apply to everything ffprobe reports', () => {
  const video = {
    index: 0,
    codec_type: 'video',
    codec_name: 'h264',
    width: 640,
    height: 360,
    pix_fmt: 'yuv420p',
  }
  const code = (probed: Parameters<typeof readFacts>[0]) => {
    try {
      readFacts(probed, 1)
      return 'accepted'
    } catch (error) {
      return error instanceof SourceRefused ? error.code : String(error)
    }
  }
  const format = { format_name: 'mov,mp4', duration: '10' }
  assert.equal(code({ format, streams: [video] }), 'accepted')
  assert.equal(code({ format: { ...format, duration: '360000' }, streams: [video] }), 'too_long')
  assert.equal(code({ format: { ...format, duration: 'N/A' }, streams: [video] }), 'damaged')
  assert.equal(code({ format, streams: [{ ...video, width: 65_535 }] }), 'too_large_picture')
  assert.equal(code({ format, streams: [{ ...video, sample_aspect_ratio: '100:1' }] }), 'too_large_picture')
  assert.equal(code({ format, streams: Array.from({ length: 65 }, () => video) }), 'too_many_tracks')
  assert.equal(code({ format, streams: [] }), 'no_streams')
  assert.equal(
    code({ format, streams: [{ ...video, r_frame_rate: '1000000/1', avg_frame_rate: '1000000/1' }] }),
    'accepted',
  )
  assert.equal(code({}), 'no_streams')
})
