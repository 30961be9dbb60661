import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aacFrame } from '../../packages/server/src/media/audio-plan.js'
import type { Grid } from '../../packages/server/src/media/grid.js'
import type { TrackWindow } from '../../packages/server/src/media-segments/make-windows.js'
import type { MediaParts } from '../../packages/server/src/media-segments/media-parts.js'
import { audioTrack } from '../../packages/server/src/media-segments/segment-keys.js'
import { ensureAhead, ensureWindow } from '../../packages/server/src/media-segments/segments.js'
import type { Source } from '../../packages/server/src/media-segments/source-plan.js'
import { type ClipWish, makeClip } from '../support/clip.js'
import { type Films, openFilms, tracksOf } from '../support/films.js'
import { breaksIn, readTrack, samplesOf, worstBlock } from '../support/joined.js'
import { seededRandom, shuffled } from '../support/random.js'

let films: Films
before(async () => {
  films = await openFilms(2)
})
after(() => films.close())

/** Makes every window, some alone and some together with others, in random order, on both workers at once. */
async function makeAtRandom(source: Source): Promise<void> {
  const tracks = tracksOf(source)
  const random = seededRandom(tracks.join())
  const wishes = source.plan.windows.flatMap((_, number): TrackWindow[][] =>
    random() < 0.5
      ? tracks.map((track) => [{ track, number }])
      : [tracks.map((track) => ({ track, number })), [{ track: tracks[0] ?? '', number }]],
  )
  const anyone = () => films.workers[Math.floor(random() * films.workers.length)] as MediaParts
  await Promise.all(
    shuffled(wishes, random).map(async (wish) => {
      const [first] = wish
      if (!first) return
      if (wish.length > 1) await ensureAhead(anyone(), source, wish)
      else await ensureWindow(anyone(), source, first.track, first.number, { nice: 0, need: 'viewer' })
    }),
  )
  // Windows that one call left to another are made by now. Windows that were given up are made here.
  const all = source.plan.windows.flatMap((_, number) => tracks.map((track) => ({ track, number })))
  for (const { track, number } of all) await ensureWindow(anyone(), source, track, number, { nice: 0 })
}

async function checkPictures(path: string, { borders, ticksPerFrame }: Grid, track: string): Promise<void> {
  const { packets, frames: decoded } = await readTrack(path)
  const frames = borders.at(-1) ?? 0
  assert.equal(packets.length, frames, track)
  const shown = packets.map(({ pts }) => pts).sort((a, b) => a - b)
  assert.deepEqual(breaksIn(shown, ticksPerFrame), [], `${track}: times of pictures`)
  assert.deepEqual(
    breaksIn(
      packets.map(({ dts }) => dts),
      ticksPerFrame,
    ),
    [],
    `${track}: times of decoding`,
  )
  const late = shown[0] ?? 0
  const keys = new Set(packets.filter(({ isKey }) => isKey).map(({ pts }) => pts - late))
  for (const border of borders.slice(0, -1))
    assert.ok(keys.has(border * ticksPerFrame), `${track}: no key frame at ${border}`)
  assert.equal(decoded, frames, `${track}: pictures that can be decoded`)
}

async function checkSound(path: string, { plan }: Source, original: string): Promise<void> {
  const { packets } = await readTrack(path)
  assert.ok(plan.audio)
  const frames = plan.audio.borders.at(-1) ?? 0
  assert.equal(packets.length, frames)
  const times = packets.map(({ pts }) => pts)
  assert.deepEqual(breaksIn(times, aacFrame), [])
  const samples = await samplesOf(path)
  const expected = (frames * aacFrame * 48_000) / plan.audio.sampleRate
  assert.ok(Math.abs(samples.length - expected) <= 2 * aacFrame, `${samples.length} samples, not ${expected}`)
  // Sound before the first picture is left out.
  const left = Math.round((plan.facts.lead ?? 0) * 48_000)
  const worst = worstBlock(samples, (await samplesOf(original)).subarray(left))
  assert.ok(worst < 0.03, `an error of ${worst}`)
}

/** Three windows, and two sizes of few pixels: the smaller size is limited by its width. */
const wide = { size: '480x96', seconds: 4 } as const
const cases: readonly (readonly [name: string, wish: ClipWish])[] = [
  ['a source that is copied, with B-frames', { ...wide, rate: '25', keyEvery: 30, more: ['-bf', '3'] }],
  ['one from Matroska', { ...wide, rate: '30', keyEvery: 30, container: 'mkv' }],
  ['29.97 frames a second, encoded', { ...wide, rate: '30000/1001', codec: 'mpeg4', audio: 'mp3' }],
  ['50 frames a second, encoded', { ...wide, rate: '50', codec: 'mpeg4', keyEvery: 100 }],
  ['a rate that varies', { ...wide, hasVariableRate: true }],
  ['a rate that varies, from Matroska', { ...wide, hasVariableRate: true, container: 'mkv' }],
  ['sound longer than the pictures', { ...wide, codec: 'mpeg4', audioSeconds: 6 }],
  ['sound shorter than the pictures', { ...wide, audioSeconds: 2 }],
]

for (const [name, wish] of cases)
  test(`joined segments are one continuous film, made in any order by any process: ${name}`, async () => {
    const path = await makeClip(wish)
    const source = await films.source(path)
    assert.ok(source.plan.windows.length > 2)
    assert.equal(source.plan.rungs.length, 2)

    await makeAtRandom(source)

    for (const track of tracksOf(source)) {
      const file = await films.joined(source, track)
      if (track === audioTrack) await checkSound(file, source, path)
      else await checkPictures(file, source.plan.grid, track)
    }
  })
