import { type AudioPlan, aacFrame, aacRates } from './audio-plan.js'
import { firstEncoded } from './ffmpeg-args.js'
import { readPieces } from './fragments.js'
import type { Window } from './grid.js'
import { keySample, makeBox, words, writeFragment } from './mp4-boxes.js'
import type { SegmentPart } from './video-segments.js'

/** An AAC frame, and its index among those that are kept. */
interface AacFrame {
  readonly index: number
  readonly bytes: Buffer
}

/** Cuts a window of audio into segments, whether encoded or copied. */
export const cutAudio = (
  bytes: AsyncIterable<Buffer>,
  audio: AudioPlan,
  window: Window,
): AsyncGenerator<SegmentPart> =>
  cutFrames(
    audio.method === 'copy' ? copiedFrames(bytes, audio) : encodedFrames(bytes, audio, window),
    audio,
    window,
  )

async function* cutFrames(
  frames: AsyncIterable<AacFrame>,
  audio: AudioPlan,
  { from, to }: Window,
): AsyncGenerator<SegmentPart> {
  const border = (segment: number) => audio.borders[segment] ?? 0
  yield { kind: 'init', bytes: audioInit(audio) }
  let [number, next] = [from, border(from)]
  let kept: Buffer[] = []
  for await (const { index, bytes } of frames) {
    if (index < next) continue
    if (index > next) throw new Error(`The audio has a gap at frame ${next}.`)
    kept.push(bytes)
    next += 1
    if (next < border(number + 1)) continue
    yield { kind: 'segment', number, bytes: audioSegment(kept, border(number), audio, number) }
    kept = []
    number += 1
    if (number === to) return
  }
  throw new Error(`The audio ends at frame ${next}, before segment ${number} is complete.`)
}

/** The encoder inserts one frame of silence before the first. */
async function* encodedFrames(
  bytes: AsyncIterable<Buffer>,
  audio: AudioPlan,
  window: Window,
): AsyncGenerator<AacFrame> {
  let index = firstEncoded(audio, window) - 1
  for await (const frame of readAdts(bytes)) {
    yield { index, bytes: frame }
    index += 1
  }
}

async function* copiedFrames(bytes: AsyncIterable<Buffer>, audio: AudioPlan): AsyncGenerator<AacFrame> {
  for await (const piece of readPieces(bytes)) {
    if (piece.kind === 'init') continue
    const { baseTime, samples, data } = piece.fragment
    const first = Math.round((baseTime - audio.firstSample) / aacFrame)
    let at = 0
    for (const [offset, { size }] of samples.entries()) {
      yield { index: first + offset, bytes: data.subarray(at, at + size) }
      at += size
    }
  }
}

async function* readAdts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    let at = 0
    for (let length = adtsLength(held, at); at + length <= held.length; length = adtsLength(held, at)) {
      const header = (held[at + 1] ?? 0) & 1 ? 7 : 9
      yield Buffer.from(held.subarray(at + header, at + length))
      at += length
    }
    held = held.subarray(at)
  }
}

function adtsLength(bytes: Buffer, at: number): number {
  if (at + 7 > bytes.length) return Infinity
  if (bytes.readUInt16BE(at) >> 4 !== 0xfff) throw new Error('The audio is not in frames of AAC.')
  return (bytes.readUInt32BE(at + 2) >> 5) & 0x1fff
}

function audioSegment(
  frames: readonly Buffer[],
  first: number,
  { firstSample }: AudioPlan,
  number: number,
): Buffer {
  const samples = frames.map(({ length }) => ({
    size: length,
    duration: aacFrame,
    flags: keySample,
    offset: 0,
  }))
  return writeFragment(
    { baseTime: firstSample + first * aacFrame, samples, data: Buffer.concat(frames) },
    number + 1,
  )
}

const text = (value: string) => Buffer.from(value, 'latin1')
const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

/** The init segment for AAC-LC, written here so that it does not depend on how the frames were made. */
export function audioInit({ sampleRate, channels, bitrate }: AudioPlan): Buffer {
  const track = makeBox(
    'trak',
    makeBox(
      'tkhd',
      words(7, 0, 0, 1, 0, 0, 0, 0),
      Buffer.from([0, 0, 0, 0, 1, 0, 0, 0]),
      matrix,
      words(0, 0),
    ),
    makeBox(
      'mdia',
      makeBox('mdhd', words(0, 0, 0, sampleRate, 0), Buffer.from([0x55, 0xc4, 0, 0])),
      makeBox('hdlr', words(0, 0), text('soun'), words(0, 0, 0), text('SoundHandler\0')),
      makeBox(
        'minf',
        makeBox('smhd', words(0, 0)),
        makeBox('dinf', makeBox('dref', words(0, 1), makeBox('url ', words(1)))),
        sampleTable(sampleRate, channels, bitrate),
      ),
    ),
  )
  const header = makeBox(
    'mvhd',
    ...[
      words(0, 0, 0, 1000, 0, 0x10000),
      Buffer.from([1, 0]),
      Buffer.alloc(10),
      matrix,
      Buffer.alloc(24),
      words(2),
    ],
  )
  return Buffer.concat([
    makeBox('ftyp', text('iso6'), words(0), text('iso6cmfcmp41')),
    makeBox('moov', header, track, makeBox('mvex', makeBox('trex', words(0, 1, 1, 0, 0, 0)))),
  ])
}

function sampleTable(sampleRate: number, channels: number, bitrate: number): Buffer {
  const entry = makeBox(
    'mp4a',
    ...[Buffer.alloc(6), Buffer.from([0, 1]), Buffer.alloc(8), Buffer.from([0, channels, 0, 16, 0, 0, 0, 0])],
    // The rate is in 16.16; a larger one appears only in the decoder's configuration.
    words(sampleRate < 65_536 ? sampleRate * 65_536 : 0),
    decoderConfig(sampleRate, channels, bitrate),
  )
  const empty = (type: string, count: number) =>
    makeBox(type, words(...Array.from({ length: count }, () => 0)))
  return makeBox(
    'stbl',
    makeBox('stsd', words(0, 1), entry),
    ...[empty('stts', 2), empty('stsc', 2), empty('stsz', 3), empty('stco', 2)],
  )
}

function decoderConfig(sampleRate: number, channels: number, bitrate: number): Buffer {
  const rate = aacRates.indexOf(sampleRate)
  const config = Buffer.from([(2 << 3) | (rate >> 1), ((rate & 1) << 7) | (channels << 3)])
  const describe = (tag: number, ...contents: readonly Buffer[]) => {
    const body = Buffer.concat(contents)
    return Buffer.concat([Buffer.from([tag, 0x80, 0x80, 0x80, body.length]), body])
  }
  const decoder = describe(
    4,
    Buffer.from([0x40, 0x15, 0, 0, 0]),
    words(bitrate, bitrate),
    describe(5, config),
  )
  return makeBox(
    'esds',
    words(0),
    describe(3, Buffer.from([0, 1, 0]), decoder, describe(6, Buffer.from([2]))),
  )
}
