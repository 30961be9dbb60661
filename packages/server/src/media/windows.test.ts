import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type ClipWish, makeClip } from '../../../../test/support/clip.js'
import { openTestFfmpeg } from '../../../../test/support/ffmpeg.js'
import { breaksIn, readTrack, samplesOf, worstBlock } from '../../../../test/support/joined.js'
import { seededRandom, shuffled } from '../../../../test/support/random.js'
import { planAudio, planOthers } from './audio-plan.js'
import { type Format, hlsFormats } from './formats.js'
import { durationOf, planGrid, planWindows, segmentCount, type Window } from './grid.js'
import { planLadder, type Rung } from './ladder.js'
import { makeAudioWindow, makeVideoWindow, type TakePart } from './make-window.js'
import type { OpenedFfmpeg } from './open-ffmpeg.js'
import { probeSource } from './probe.js'
import type { SourceFacts } from './source-facts.js'

const random = seededRandom()
let ffmpeg: OpenedFfmpeg
let folder: string
before(async () => {
  ffmpeg = (await openTestFfmpeg()).need()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-windows-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Collects the parts, and asserts that every window has the same init. */
function collect() {
  const inits: Buffer[] = []
  const segments = new Map<number, Buffer>()
  const take: TakePart = (part) => {
    if (part.kind === 'segment') {
      assert.ok(!segments.has(part.number), `segment ${part.number} was made twice`)
      segments.set(part.number, part.bytes)
    } else {
      assert.ok(inits[0]?.equals(part.bytes) ?? true, 'an init differs')
      inits.push(part.bytes)
    }
  }
  const join = () =>
    Buffer.concat([
      inits[0] ?? Buffer.alloc(0),
      ...[...segments].sort(([a], [b]) => a - b).map(([, bytes]) => bytes),
    ])
  return { take, join, segments }
}

const run = (program: string, args: readonly string[]) =>
  promisify(execFile)(program, ['-v', 'error', ...args], { encoding: 'buffer', maxBuffer: 1 << 28 })

async function save(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

/** A small grey picture of every frame: enough to distinguish neighbours. */
async function picturesOf(path: string, filters = ''): Promise<Buffer[]> {
  const scaled = `${filters}scale=32:18:flags=area,format=gray`
  const { stdout } = await run('ffmpeg', ['-i', path, '-an', '-vf', scaled, '-f', 'rawvideo', '-'])
  return Array.from({ length: stdout.length / 576 }, (_, index) =>
    stdout.subarray(index * 576, index * 576 + 576),
  )
}

const difference = (a: Buffer, b: Buffer) =>
  a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length

async function plan(request: ClipWish, wanted: readonly Format[] = hlsFormats, onlyEncoded = false) {
  const source = await makeClip(request)
  const probed = await probeSource(ffmpeg, source)
  const facts: SourceFacts = onlyEncoded ? { ...probed, container: 'other' } : probed
  const { rungs } = planLadder(facts, wanted)
  const grid = planGrid(facts, { onKeyFrames: rungs.some(({ method }) => method === 'copy') })
  return { source, facts, rungs, grid, windows: planWindows(grid, 4) }
}
type Planned = Awaited<ReturnType<typeof plan>>

async function makeRung(
  { source, facts, grid }: Planned,
  windows: readonly Window[],
  rung: Rung,
): Promise<Buffer> {
  const made = collect()
  for (const window of windows) {
    const request = {
      source,
      facts,
      grid,
      window,
      rungs: [rung],
      preset: 'superfast',
      canToneMap: true,
    } as const
    await makeVideoWindow(ffmpeg, request, made.take)
  }
  assert.equal(made.segments.size, segmentCount(grid))
  return made.join()
}

async function checkRung(path: string, { grid, source }: Planned, { width, height }: Rung): Promise<void> {
  const { packets } = await readTrack(path)
  const frames = grid.borders.at(-1) ?? 0
  assert.equal(packets.length, frames)
  const shown = packets.map(({ pts }) => pts).sort((a, b) => a - b)
  // ffmpeg delays all pictures by the number of reordered frames.
  const late = shown[0] ?? 0
  assert.ok(late >= 0 && late <= 3 * grid.ticksPerFrame, String(late))
  assert.deepEqual(breaksIn(shown, grid.ticksPerFrame), [])
  assert.deepEqual(
    breaksIn(
      packets.map(({ dts }) => dts),
      grid.ticksPerFrame,
    ),
    [],
  )
  for (const border of grid.borders.slice(0, -1))
    assert.ok(
      packets.some(({ pts, isKey }) => isKey && pts - late === border * grid.ticksPerFrame),
      `no key at ${border}`,
    )

  const [made, original] = [await picturesOf(path), await picturesOf(source)]
  assert.equal(made.length, frames)
  for (const [index, picture] of made.entries()) {
    const own = difference(picture, original[index] ?? Buffer.alloc(576))
    assert.ok(own < 6, `frame ${index} of ${width}x${height} differs by ${own}`)
  }
}

const planTwoRungs = () =>
  plan(
    { seconds: 9, size: '480x96', rate: '30000/1001', keyEvery: 75, audio: 'none' },
    ['hls_240p', 'hls_360p'],
    true,
  )

test('two rungs made window by window in random order form one film, exact to the frame', async (context) => {
  const planned = await planTwoRungs()
  assert.ok(planned.windows.length > 3)
  for (const rung of planned.rungs) {
    const begun = performance.now()
    const bytes = await makeRung(planned, shuffled(planned.windows, random), rung)
    context.diagnostic(`${rung.name}: ${Math.round(performance.now() - begun)} ms for 9 s`)
    await checkRung(await save(`${rung.name}.mp4`, bytes), planned, rung)
  }
})

test('several rungs come from one decode, with the same inits as those made alone', async () => {
  const planned = await planTwoRungs()
  const { source, facts, grid, rungs } = planned
  const window = planned.windows[1] ?? { from: 0, to: 1 }
  const request = { source, facts, grid, window, preset: 'superfast', canToneMap: true } as const
  const together = rungs.map(collect)
  await makeVideoWindow(ffmpeg, { ...request, rungs }, (part, rung) => together[rung]?.take(part, rung))
  for (const [index, rung] of rungs.entries()) {
    const alone = collect()
    await makeVideoWindow(ffmpeg, { ...request, rungs: [rung] }, alone.take)
    const init = (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('moof') - 4)
    assert.ok(init(alone.join()).equals(init(together[index]?.join() ?? Buffer.alloc(0))))
    assert.equal(together[index]?.segments.size, window.to - window.from)
  }
})

for (const container of ['mp4', 'mkv'] as const)
  test(`a copied rung from ${container}, in random order, equals the source frame by frame`, async (context) => {
    const planned = await plan(
      { seconds: 9, size: '480x96', rate: '25', keyEvery: 40, container, audio: 'none' },
      ['hls_360p'],
    )
    const [rung] = planned.rungs
    assert.equal(rung?.method, 'copy')
    const begun = performance.now()
    const bytes = await makeRung(planned, shuffled(planned.windows, random), rung)
    context.diagnostic(
      `copy: ${Math.round(performance.now() - begun)} ms for 9 s in ${planned.windows.length} windows`,
    )
    await checkRung(await save(`copy-${container}.mp4`, bytes), planned, rung)
  })

for (const method of ['copy', 'encode'] as const)
  test(`audio by ${method}, made in random order, has no audible seam`, async () => {
    const planned = await plan({
      seconds: 9,
      size: '64x36',
      audio: method === 'copy' ? 'aac' : 'pcm_s16le',
      container: method === 'copy' ? 'mp4' : 'mov',
    })
    const { source, facts, grid, windows } = planned
    const audio = planAudio(facts, grid)
    assert.equal(audio?.method, method)
    const made = collect()
    for (const window of shuffled(windows, random))
      await makeAudioWindow(ffmpeg, [{ source, facts, audio, window }], made.take)

    assert.equal(made.segments.size, segmentCount(grid))
    const path = await save(`${method}.m4a`, made.join())
    const { packets } = await readTrack(path)
    assert.equal(packets[0]?.pts, 0)
    assert.deepEqual(
      breaksIn(
        packets.map(({ pts }) => pts),
        1024,
      ),
      [],
    )
    assert.ok(Math.abs((packets.length * 1024) / 48_000 - durationOf(grid)) < 0.03)
    const worst = worstBlock(await samplesOf(path), await samplesOf(source))
    assert.ok(worst < 0.02, `error of ${worst}`)
  })

test('audio tracks made together are the same as those made alone', async () => {
  const voices = [{ hertz: 330 }, { hertz: 550 }, { hertz: 770 }]
  const { source, facts, grid, windows } = await plan({
    ...{ seconds: 5, size: '64x36', voices, audio: 'pcm_s16le', container: 'mov' },
  })
  const others = planOthers(facts, grid)
  assert.deepEqual(
    others.map(({ track, plan }) => [track, plan.method]),
    [
      ['audio_2', 'encode'],
      ['audio_3', 'encode'],
    ],
  )
  for (const window of windows) {
    const requests = others.map(({ audio, plan }) => ({
      ...{ source, window, audio: plan, facts: { ...facts, audio } },
    }))
    const together = [collect(), collect()]
    await makeAudioWindow(ffmpeg, requests, (part, track) => together[track]?.take(part, track))
    for (const [index, request] of requests.entries()) {
      const alone = collect()
      await makeAudioWindow(ffmpeg, [request], alone.take)
      assert.ok(together[index]?.join().equals(alone.join()))
    }
  }
})
