import { type Grid, startOf } from './grid.js'
import type { AudioFacts, SourceFacts } from './source-facts.js'

/** Samples per AAC frame. */
export const aacFrame = 1024

/** How an audio rendition is made, and where its frames are. */
export interface AudioPlan {
  readonly method: 'copy' | 'encode'
  readonly sampleRate: number
  readonly channels: number
  readonly bitrate: number
  /** The start of the first frame that is kept, in samples from the start. */
  readonly firstSample: number
  /** Border `k` is the first frame of segment `k`; the last is the number of frames. */
  readonly borders: readonly number[]
}

export type AacCopy = { readonly can: true } | { readonly can: false; readonly reason: string }

export const aacRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000]

/** The properties of an encoded rendition, and the limits within which a source's audio can be copied. */
interface AudioKind {
  readonly encoded: { readonly sampleRate: number; readonly channels: number; readonly bitrate: number }
  readonly mostBitrate: number
  /** Why the source's channels do not fit the rendition. */
  readonly misfit: (audio: AudioFacts) => string | undefined
}

const stereo: AudioKind = {
  encoded: { sampleRate: 48_000, channels: 2, bitrate: 128_000 },
  mostBitrate: 260_000,
  misfit: ({ channels }) => (channels > 2 ? 'It has more than two channels.' : undefined),
}

const surround: AudioKind = {
  encoded: { sampleRate: 48_000, channels: 6, bitrate: 320_000 },
  mostBitrate: 640_000,
  misfit: ({ channels, layout }) =>
    channels === 6 && layout === '5.1' ? undefined : 'Its channels are not those of 5.1.',
}

/** With fewer channels there is no surround sound to keep. */
const fewestAround = 5
/** Missing audio at the end that nobody notices. */
const toleratedSeconds = 0.5

/** Whether the audio can be published without encoding. */
export const canCopyAudio = (facts: SourceFacts): AacCopy => canCopyAs(stereo, facts)

function canCopyAs({ mostBitrate, misfit }: AudioKind, { audio, duration }: SourceFacts): AacCopy {
  if (!audio) return { can: false, reason: 'There is no audio.' }
  const { aacFrames } = audio
  const end = aacFrames ? (aacFrames.firstSample + aacFrames.count * aacFrame) / audio.sampleRate : 0
  const unfit = misfit(audio)
  const hindrances: readonly (readonly [boolean, string])[] = [
    [audio.codec !== 'aac' || audio.profile !== 'LC', `The audio is ${audio.codec}, not AAC-LC.`],
    [unfit !== undefined, unfit ?? ''],
    [!aacRates.includes(audio.sampleRate), `Its sample rate is ${audio.sampleRate}.`],
    [(audio.bitrate ?? 0) > mostBitrate, 'It has more bits than are needed.'],
    [aacFrames === undefined, 'It is not known to be without gaps.'],
    [end < duration - toleratedSeconds, 'It ends before the video.'],
  ]
  const hindrance = hindrances.find(([holds]) => holds)
  return hindrance ? { can: false, reason: hindrance[1] } : { can: true }
}

/** An audio track beside the main one. */
export interface OtherSound {
  /** The name of its rendition. */
  readonly track: string
  readonly audio: AudioFacts
  readonly plan: AudioPlan
  /** The key of its file in the storage, if that is not the film's. */
  readonly file?: string
}

/** The other audio tracks of the file, each at most stereo. */
export const planOthers = (facts: SourceFacts, grid: Grid): OtherSound[] =>
  (facts.moreAudio ?? []).flatMap((audio) => {
    const plan = planAudio({ ...facts, audio }, grid)
    return plan ? [{ track: `audio_${audio.index}`, audio, plan }] : []
  })

/** The main audio on the video's grid, at most stereo. Undefined for a silent source. */
export const planAudio = (facts: SourceFacts, grid: Grid): AudioPlan | undefined =>
  planAs(stereo, facts, grid)

/** A surround source's audio as 5.1; undefined for all others. */
export const planSurround = (facts: SourceFacts, grid: Grid): AudioPlan | undefined =>
  (facts.audio?.channels ?? 0) >= fewestAround ? planAs(surround, facts, grid) : undefined

function planAs(kind: AudioKind, facts: SourceFacts, grid: Grid): AudioPlan | undefined {
  const { audio } = facts
  const { encoded } = kind
  if (!audio) return undefined
  if (!canCopyAs(kind, facts).can || !audio.aacFrames)
    return { method: 'encode', ...encoded, firstSample: 0, borders: bordersOn(grid, encoded.sampleRate, 0) }
  const { count, firstSample } = audio.aacFrames
  // Samples that encoders put before the start must not be heard.
  const dropped = Math.max(0, Math.ceil(-firstSample / aacFrame))
  const begin = firstSample + dropped * aacFrame
  const borders = bordersOn(grid, audio.sampleRate, begin).map((border) => Math.min(border, count - dropped))
  const { sampleRate, channels, bitrate = encoded.bitrate } = audio
  const hasEmpty = borders.some((border, index) => index > 0 && border <= (borders[index - 1] ?? 0))
  if (hasEmpty) return planAs(kind, { ...facts, audio: { ...audio, aacFrames: undefined } }, grid)
  return { method: 'copy', sampleRate, channels, bitrate, firstSample: begin, borders }
}

/** The first audio frame at or after each border of the video. */
const bordersOn = (grid: Grid, sampleRate: number, begin: number): number[] =>
  grid.borders.map((_, index) =>
    Math.max(0, Math.ceil((startOf(grid, index) * sampleRate - begin) / aacFrame - 1e-6)),
  )

/** The duration of an audio segment. */
export const audioSeconds = ({ borders, sampleRate }: AudioPlan, segment: number): number =>
  (((borders[segment + 1] ?? 0) - (borders[segment] ?? 0)) * aacFrame) / sampleRate
