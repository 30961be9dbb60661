import type { AudioPlan } from './audio-plan.js'
import { audioSeconds } from './audio-plan.js'
import { toNumber } from './fraction.js'
import { type Grid, secondsOf, segmentsOf } from './grid.js'
import type { Rung } from './ladder.js'

/** A rendition that a playlist can be asked for. */
export type Track =
  | { readonly kind: 'video'; readonly rung: Rung }
  | { readonly kind: 'audio' }
  | { readonly kind: 'subtitles'; readonly id: string }

export interface SubtitleRendition {
  readonly id: string
  /** BCP 47: en, pt-BR. */
  readonly language: string
  /** Shown in menus. */
  readonly name: string
  readonly isDefault?: boolean
  readonly isForced?: boolean
  /** Where its playlist is, if not with the others. */
  readonly elsewhere?: string
}

export interface MasterPlaylist {
  readonly grid: Grid
  readonly rungs: readonly Rung[]
  readonly audio?: AudioPlan
  readonly subtitles?: readonly SubtitleRendition[]
  /** Where the playlist of a rendition is. */
  readonly address: (track: Track) => string
}

const header = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
const audioCodec = 'mp4a.40.2'
const finish = (lines: readonly string[]) => `${lines.join('\n')}\n`

/** The list of renditions, the best to begin with first. */
export function masterPlaylist({ grid, rungs, audio, subtitles = [], address }: MasterPlaylist): string {
  const media = [
    ...(audio ? [audioLine(audio, rungs.length > 0, address)] : []),
    ...subtitles.map((subtitle) => subtitleLine(subtitle, address)),
  ]
  const groups = [
    ...(audio ? ['AUDIO="audio"'] : []),
    ...(subtitles.length > 0 ? ['SUBTITLES="subtitles"'] : []),
  ]
  const variants = startingWithMiddle(rungs).flatMap((rung) => [
    streamLine(grid, rung, audio, groups),
    address({ kind: 'video', rung }),
  ])
  const onlyAudio =
    audio && rungs.length === 0
      ? [
          streamInf([...bandwidths(audio.bitrate, audio.bitrate), `CODECS="${audioCodec}"`, ...groups]),
          address({ kind: 'audio' }),
        ]
      : []
  return finish([...header, ...media, ...variants, ...onlyAudio])
}

/** Players begin with the first: one that most connections carry. */
function startingWithMiddle(rungs: readonly Rung[]): readonly Rung[] {
  const first = rungs.findLast(({ maxRate }) => maxRate <= 1_500_000) ?? rungs[0]
  return first ? [first, ...rungs.filter((rung) => rung !== first)] : []
}

const quoted = (value: string) => `"${value.replace(/["\r\n]/g, ' ')}"`
const attributes = (pairs: readonly string[]) => pairs.join(',')
const streamInf = (pairs: readonly string[]) => `#EXT-X-STREAM-INF:${attributes(pairs)}`
const bandwidths = (peak: number, average: number) => [
  `BANDWIDTH=${Math.ceil(peak * 1.1)}`,
  `AVERAGE-BANDWIDTH=${Math.ceil(average)}`,
]

function audioLine({ channels }: AudioPlan, hasVideo: boolean, address: MasterPlaylist['address']): string {
  // Without video the stream itself is the audio, and a rendition without an address means that.
  const place = hasVideo ? [`URI=${quoted(address({ kind: 'audio' }))}`] : []
  const about = ['TYPE=AUDIO', 'GROUP-ID="audio"', 'NAME="Audio"', 'DEFAULT=YES', 'AUTOSELECT=YES']
  return `#EXT-X-MEDIA:${attributes([...about, `CHANNELS="${channels}"`, ...place])}`
}

function subtitleLine(
  { id, language, name, isDefault = false, isForced = false, elsewhere }: SubtitleRendition,
  address: MasterPlaylist['address'],
): string {
  return `#EXT-X-MEDIA:${attributes([
    ...['TYPE=SUBTITLES', 'GROUP-ID="subtitles"', `NAME=${quoted(name)}`, `LANGUAGE=${quoted(language)}`],
    ...[`DEFAULT=${yes(isDefault)}`, 'AUTOSELECT=YES', `FORCED=${yes(isForced)}`],
    `URI=${quoted(elsewhere ?? address({ kind: 'subtitles', id }))}`,
  ])}`
}

const yes = (value: boolean) => (value ? 'YES' : 'NO')

function streamLine(grid: Grid, rung: Rung, audio: AudioPlan | undefined, groups: readonly string[]): string {
  const sound = audio?.bitrate ?? 0
  const codecs = [rung.codecs, ...(audio ? [audioCodec] : [])].join()
  return streamInf([
    ...bandwidths(rung.maxRate * 1.2 + sound, rung.averageRate + sound),
    `RESOLUTION=${rung.width}x${rung.height}`,
    `FRAME-RATE=${toNumber(grid.frameRate).toFixed(3)}`,
    `CODECS="${codecs}"`,
    ...groups,
  ])
}

/** AES-128 of whole segments. */
export interface SegmentKey {
  readonly address: string
  /** 16 bytes as 32 hexadecimal digits; without it the number of the segment is used. */
  readonly iv?: string
}

export interface MediaPlaylist {
  readonly seconds: readonly number[]
  readonly initAddress: string
  readonly segmentAddress: (segment: number) => string
  readonly key?: SegmentKey
}

/** How long the segments of a rung, and of the audio, last. */
export const videoSeconds = (grid: Grid) =>
  Array.from({ length: segmentsOf(grid) }, (_, k) => secondsOf(grid, k))
export const audioSecondsOf = (audio: AudioPlan) =>
  Array.from({ length: audio.borders.length - 1 }, (_, k) => audioSeconds(audio, k))

/** All segments of a rendition, finished from the start: the borders are known before anything is made. */
export function mediaPlaylist({ seconds, initAddress, segmentAddress, key }: MediaPlaylist): string {
  return finish([
    ...listHeader(seconds),
    // The init segment stays clear, so the key comes after it.
    `#EXT-X-MAP:URI=${quoted(initAddress)}`,
    ...(key ? [keyLine(key)] : []),
    ...seconds.flatMap((length, segment) => [`#EXTINF:${length.toFixed(6)},`, segmentAddress(segment)]),
    '#EXT-X-ENDLIST',
  ])
}

const listHeader = (seconds: readonly number[]) => [
  ...['#EXTM3U', '#EXT-X-VERSION:7'],
  `#EXT-X-TARGETDURATION:${Math.max(1, ...[Math.ceil(longest(seconds))])}`,
  ...['#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS'],
]

// Not Math.max of all: a day of video has more segments than a call may have arguments.
const longest = (seconds: readonly number[]) => seconds.reduce((most, length) => Math.max(most, length), 0)

const keyLine = ({ address, iv }: SegmentKey) =>
  `#EXT-X-KEY:${attributes(['METHOD=AES-128', `URI=${quoted(address)}`, ...(iv ? [`IV=0x${iv}`] : [])])}`

/** Subtitles as one segment of WebVTT. */
export const subtitlePlaylist = (duration: number, address: string): string =>
  finish([...listHeader([duration]), `#EXTINF:${duration.toFixed(6)},`, address, '#EXT-X-ENDLIST'])
