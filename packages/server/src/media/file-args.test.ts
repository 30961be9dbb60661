import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { makeClip } from '../../../../test/support/clip.js'
import { openTestFfmpeg } from '../../../../test/support/ffmpeg.js'
import { planAudio } from './audio-plan.js'
import { mp4FilePlan, opusFilePlan, webmFilePlan } from './file-args.js'
import { planGrid, planWindows } from './grid.js'
import { fitFormat, planLadder } from './ladder.js'
import { makeAudioWindow, makeVideoWindow, type TakePart } from './make-window.js'
import type { OpenedFfmpeg } from './open-ffmpeg.js'
import { pictureSize, picturesPlan, planStoryboard, posterSeconds, storyboardPlan } from './picture-args.js'
import { previewPlan } from './preview-args.js'
import { probeSource } from './probe.js'
import { runFfmpeg } from './run-ffmpeg.js'

let ffmpeg: OpenedFfmpeg
let folder: string
before(async () => {
  ffmpeg = (await openTestFfmpeg()).need()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-files-100%-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const run = (program: string, args: readonly string[]) =>
  promisify(execFile)(program, ['-nostdin', '-v', 'error', '-y', ...args], { encoding: 'buffer' })

async function prepare() {
  const source = await makeClip({ seconds: 3, size: '960x540' })
  const facts = await probeSource(ffmpeg, source)
  const grid = planGrid(facts, { onKeyFrames: false })
  return { source, facts, grid, windows: planWindows(grid), canToneMap: ffmpeg.canToneMap }
}

/** Init and segments in order of arrival. */
function collect() {
  const parts: Buffer[] = []
  const take: TakePart = (part) => {
    if (part.kind === 'segment' || parts.length === 0) parts.push(part.bytes)
  }
  const save = async (name: string) => {
    const path = join(folder, name)
    await writeFile(path, Buffer.concat(parts))
    return path
  }
  return { take, save }
}

test('an MP4 is joined from the segments of its rung', async () => {
  const { source, facts, grid, windows, canToneMap } = await prepare()
  const { rungs } = planLadder(facts, ['hls_360p'])
  const audio = planAudio(facts, grid)
  assert.ok(audio)
  const [pictures, sound] = [collect(), collect()]
  for (const window of windows) {
    await makeVideoWindow(
      ffmpeg,
      { source, facts, grid, window, rungs, preset: 'superfast', canToneMap },
      pictures.take,
    )
    await makeAudioWindow(ffmpeg, [{ source, facts, audio, window }], sound.take)
  }
  const target = join(folder, 'out.mp4')
  const [video, voice] = [await pictures.save('v.mp4'), await sound.save('a.mp4')]
  await runFfmpeg(ffmpeg, mp4FilePlan({ video, audio: voice, target }))

  const made = await probeSource(ffmpeg, target)
  assert.deepEqual([made.video?.codec, made.video?.width, made.video?.height], ['h264', 640, 360])
  assert.equal(made.audio?.codec, 'aac')
  assert.equal(made.video?.duration, 3)
  assert.equal(made.video?.keyFrames?.[0], 0)
})

test('audio alone has its own segments', async () => {
  const source = await makeClip({
    codec: 'none',
    container: 'm4a',
    seconds: 3,
    channels: 6,
    sampleRate: 44_100,
  })
  const facts = await probeSource(ffmpeg, source)
  const grid = planGrid(facts, { onKeyFrames: false })
  const audio = planAudio(facts, grid)
  assert.equal(audio?.method, 'encode')
  const sound = collect()
  for (const window of planWindows(grid))
    await makeAudioWindow(ffmpeg, [{ source, facts, audio, window }], sound.take)

  const made = await probeSource(ffmpeg, await sound.save('alone.m4a'))
  assert.deepEqual([made.audio?.channels, made.audio?.sampleRate, made.video], [2, 48_000, undefined])
  assert.ok(Math.abs(made.duration - 3) < 0.03)
})

test('a WebM is joined from windows of VP9, with Opus', async (context) => {
  const { source, facts, grid, windows, canToneMap } = await prepare()
  const size = facts.video && fitFormat(facts.video, 'webm_360p')
  assert.ok(size)
  const pictures = collect()
  const begun = performance.now()
  for (const window of windows)
    await makeVideoWindow(
      ffmpeg,
      { source, facts, grid, window, rungs: [{ method: 'vp9', ...size }], preset: 'superfast', canToneMap },
      pictures.take,
    )
  context.diagnostic(`VP9: ${Math.round(performance.now() - begun)} ms for 3 s`)
  const [sound, target] = [join(folder, 'sound.webm'), join(folder, 'out.webm')]
  await runFfmpeg(ffmpeg, opusFilePlan(source, facts, sound))
  await runFfmpeg(ffmpeg, webmFilePlan({ video: await pictures.save('v9.mp4'), audio: sound, target }))

  const made = await probeSource(ffmpeg, target)
  assert.equal(made.container, 'matroska')
  assert.deepEqual([made.video?.codec, made.video?.width, made.audio?.codec], ['vp9', 640, 'opus'])
  assert.ok(Math.abs(made.duration - 3) < 0.1)
  assert.deepEqual(made.video?.keyFrames?.length, grid.borders.length - 1)
})

test('a poster and thumbnails come from one decode', async () => {
  const { source, facts, canToneMap } = await prepare()
  assert.ok(facts.video)
  const sizes = [4000, 320].map((width) => pictureSize({ width: 960, height: 540 }, width))
  const pictures: Buffer[][] = [[], []]
  await runFfmpeg(ffmpeg, picturesPlan({ source, facts, canToneMap }, posterSeconds(facts), sizes), {
    outputs: pictures.map((parts) => async (bytes) => {
      for await (const chunk of bytes) parts.push(chunk)
    }),
  })
  assert.deepEqual(sizes, [
    { width: 960, height: 540 },
    { width: 320, height: 180 },
  ])
  for (const parts of pictures) assert.equal(Buffer.concat(parts).toString('hex', 0, 3), 'ffd8ff')
})

test('pictures of a transport stream show the right moment, wherever its key frames are', async () => {
  const source = join(folder, 'red-then-blue.ts')
  const colours = ['red', 'blue'].flatMap((name) => ['-f', 'lavfi', '-i', `color=${name}:s=64x36:r=10:d=4`])
  const encoded = ['-c:v', 'libx264', '-g', '999', '-sc_threshold', '0', '-pix_fmt', 'yuv420p']
  await run('ffmpeg', [...colours, '-filter_complex', 'concat=n=2', ...encoded, source])
  const facts = await probeSource(ffmpeg, source)
  const request = { source, facts, canToneMap: false }
  const colourAt = async (seconds: number) => {
    const parts: Buffer[] = []
    const keep = async (bytes: AsyncIterable<Buffer>) => {
      for await (const chunk of bytes) parts.push(chunk)
    }
    await runFfmpeg(ffmpeg, picturesPlan(request, seconds, [{ width: 64, height: 36 }]), { outputs: [keep] })
    const path = join(folder, 'moment.jpeg')
    await writeFile(path, Buffer.concat(parts))
    const { stdout } = await run('ffmpeg', ['-i', path, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'])
    return (stdout[0] ?? 0) > (stdout[2] ?? 0) ? 'red' : 'blue'
  }
  assert.deepEqual([await colourAt(3), await colourAt(7)], ['red', 'blue'])
  const moving = join(folder, 'moving.webp')
  await runFfmpeg(ffmpeg, previewPlan(request, 60, moving))
  assert.ok((await readFile(moving)).includes('ANMF'))
})

test('a film of a single picture has a preview too', async () => {
  const source = await makeClip({ audio: 'none', more: ['-frames:v', '1'] })
  const target = join(folder, 'single.webp')
  const facts = await probeSource(ffmpeg, source)
  await runFfmpeg(ffmpeg, previewPlan({ source, facts, canToneMap: false }, 60, target))
  assert.equal((await readFile(target)).toString('latin1', 8, 12), 'WEBP')
})

test('a storyboard is drawn on sheets', async () => {
  const { source, facts, canToneMap } = await prepare()
  const board = planStoryboard(facts)
  assert.deepEqual([board.pictures, board.sheets, board.interval, board.tile.width], [2, 1, 2, 160])
  await runFfmpeg(ffmpeg, storyboardPlan({ source, facts, canToneMap }, board, folder))
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.jpg')),
    ['0.jpg'],
  )
})
