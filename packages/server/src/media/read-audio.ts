import { languageInFile, languageName } from '../lib/language.js'
import { type Probed, type ProbedStream, positive } from './probed.js'
import { refuseCodec } from './refuse-codec.js'
import { type AudioFacts, type SourceFacts, SourceRefused, sourceLimits } from './source-facts.js'

/** The audio of a source, and the stream of its main track. */
interface Sounds extends Pick<SourceFacts, 'audio' | 'moreAudio' | 'audioLeftOut'> {
  readonly main?: ProbedStream | undefined
}

/** A stream that can be published, or the reason why not. */
type SoundStream =
  | { readonly stream: ProbedStream; readonly facts: AudioFacts }
  | { readonly stream: ProbedStream; readonly refusal: SourceRefused }

/**
 * All audio streams that can be published, the main one first. Throws if there is audio and none of it can be
 * published.
 */
export function readSounds(streams: readonly ProbedStream[], probed: Probed): Sounds {
  const sounds = streams.map((stream) => readSound(stream, streams.length, probed))
  const usable = sounds.filter((sound) => 'facts' in sound)
  const [first] = sounds
  if (usable.length === 0) {
    if (first && 'refusal' in first) throw first.refusal
    return {}
  }
  const main = mainOf(usable)
  const others = usable.filter((sound) => sound !== main)
  const kept = others.slice(0, sourceLimits.sounds - 1)
  const leftOut = sounds.flatMap((sound, index) => {
    if ('refusal' in sound) return [`${streamName(sound.stream, index)}, because its format is not accepted`]
    const isKept = sound === main || kept.includes(sound)
    return isKept
      ? []
      : [`${streamName(sound.stream, index)}, because a video has at most ${sourceLimits.sounds}`]
  })
  return {
    main: main?.stream,
    ...(main && { audio: main.facts }),
    ...(kept.length > 0 && { moreAudio: kept.map(({ facts }) => facts) }),
    ...(leftOut.length > 0 && { audioLeftOut: `Audio tracks left out: ${leftOut.join('; ')}.` }),
  }
}

function readSound(stream: ProbedStream, tracks: number, probed: Probed): SoundStream {
  try {
    refuseCodec(stream)
    return { stream, facts: readAudio(stream, tracks, probed) }
  } catch (refusal) {
    if (refusal instanceof SourceRefused) return { stream, refusal }
    throw refusal
  }
}

/** The track that the file declares as its default, but neither a description nor a commentary. */
function mainOf<T extends { readonly stream: ProbedStream; readonly facts: AudioFacts }>(
  sounds: readonly T[],
): T | undefined {
  const plain = sounds.filter(({ facts }) => !facts.kind)
  return plain.find(({ stream }) => stream.disposition?.default) ?? plain[0] ?? sounds[0]
}

const longestTitle = 100

/** The title in the file, without characters that playlists and menus cannot show. */
export function titleOf({ tags }: ProbedStream): string | undefined {
  const plain = (tags?.title ?? '').replace(/[\p{Cc}"]+/gu, ' ').trim()
  return [...plain].slice(0, longestTitle).join('') || undefined
}

/** Many files say it only in the title. */
function kindOf({ disposition = {}, ...stream }: ProbedStream): AudioFacts['kind'] {
  const title = titleOf(stream) ?? ''
  const isDescription = disposition.visual_impaired || disposition.descriptions
  if (isDescription || /\bdescri(ption|ptive|bed)\b/i.test(title)) return 'description'
  return disposition.comment || /\bcommentary\b/i.test(title) ? 'commentary' : undefined
}

/** Its number in the file, language and title. */
export function streamName(stream: ProbedStream, index: number): string {
  const language = languageInFile(stream.tags?.language)
  const known = [language && languageName(language), titleOf(stream)].filter(Boolean)
  return `number ${index + 1}${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}

const aacFrame = 1024

function readAudio(stream: ProbedStream, tracks: number, probed: Probed): AudioFacts {
  const { channels = 0 } = stream
  const sampleRate = positive(stream.sample_rate)
  if (channels < 1 || channels > sourceLimits.channels || sampleRate === undefined)
    throw new SourceRefused('damaged', 'The audio of the file cannot be read; the file is damaged.')
  const firstSample = probed.packets?.find(({ stream_index }) => stream_index === stream.index)?.pts
  return {
    index: stream.index ?? 0,
    codec: stream.codec_name ?? '',
    profile: stream.profile,
    channels,
    layout: stream.channel_layout,
    language: languageInFile(stream.tags?.language),
    title: titleOf(stream),
    kind: kindOf(stream),
    sampleRate,
    tracks,
    bitrate: positive(stream.bit_rate),
    ...roundedFrames(stream, sampleRate, firstSample, probed),
    ...(firstSample !== undefined && { aacFrames: gaplessAac(stream, sampleRate, firstSample) }),
  }
}

/** Samples per frame, for codecs with a fixed frame size. */
const frameSizes: Readonly<Record<string, number>> = { aac: aacFrame, mp3: 1152, mp2: 1152, ac3: 1536 }

/**
 * Detects frames with rounded times, which are moved back; otherwise there would be a seam between windows.
 */
function roundedFrames(
  { time_base, codec_name = '', profile }: ProbedStream,
  sampleRate: number,
  first: number | undefined,
  { format }: Probed,
): Pick<AudioFacts, 'rounded'> {
  const frame = frameSizes[codec_name]
  const isUsual = codec_name === 'aac' ? profile === 'LC' : sampleRate >= 32_000
  if (time_base !== '1/1000' || first === undefined || frame === undefined || !isUsual) return {}
  const begin = ((first - 1000 * (Number(format?.start_time) || 0)) * sampleRate) / 1000
  return { rounded: { frame, begin: Math.round(begin) } }
}

function gaplessAac(stream: ProbedStream, sampleRate: number, firstSample: number): AudioFacts['aacFrames'] {
  const count = positive(stream.nb_frames)
  const isAac = stream.codec_name === 'aac' && stream.time_base === `1/${sampleRate}`
  if (!isAac || count === undefined || stream.duration_ts === undefined) return undefined
  const end = firstSample + count * aacFrame
  // An encoder may pad its last frame or two.
  return Math.abs(end - stream.duration_ts) <= 3 * aacFrame && Math.abs(firstSample) <= 4 * aacFrame
    ? { count, firstSample }
    : undefined
}
