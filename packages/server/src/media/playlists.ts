import type { AudioPlan } from './audio-plan.js'
import { audioSeconds } from './audio-plan.js'
import { type Grid, secondsOf, segmentCount } from './grid.js'

export const joinLines = (lines: readonly string[]) => `${lines.join('\n')}\n`
export const quoted = (value: string) => `"${value.replace(/["\r\n]/g, ' ')}"`

/** AES-128 of whole segments. */
export interface SegmentKey {
  readonly address: string
  /** 16 bytes as 32 hexadecimal digits; the segment number by default. */
  readonly iv?: string
}

interface Segments {
  readonly seconds: readonly number[]
  /** The same for all renditions of a film. */
  readonly target: number
  readonly initAddress: string
  readonly segmentAddress: (segment: number) => string
}

export interface MediaPlaylist extends Segments {
  readonly key?: SegmentKey
}

/** The durations of a rung's segments. */
export const videoSeconds = (grid: Grid) =>
  Array.from({ length: segmentCount(grid) }, (_, k) => secondsOf(grid, k))
export const audioSecondsOf = (audio: AudioPlan) =>
  Array.from({ length: audio.borders.length - 1 }, (_, k) => audioSeconds(audio, k))

/** The target duration of renditions: no rounded segment duration exceeds it. */
export const targetFor = (...renditions: readonly (readonly number[])[]): number =>
  Math.max(1, ...renditions.map((seconds) => Math.round(longest(seconds))))

// Not Math.max of all: a day of video has more segments than a call may have arguments.
const longest = (seconds: readonly number[]) => seconds.reduce((most, length) => Math.max(most, length), 0)

/** All segments of a rendition, complete from the start: the borders are known before anything is made. */
export function mediaPlaylist({ seconds, target, initAddress, segmentAddress, key }: MediaPlaylist): string {
  return joinLines([
    ...listHeader(target),
    // The init segment is not encrypted, so the key comes after it.
    `#EXT-X-MAP:URI=${quoted(initAddress)}`,
    ...(key ? [keyLine(key)] : []),
    ...seconds.flatMap((length, segment) => [`#EXTINF:${length.toFixed(6)},`, segmentAddress(segment)]),
    '#EXT-X-ENDLIST',
  ])
}

export interface KeyFramePlaylist extends Segments {
  /** Where the first key frame of each segment ends, from the segment's first byte. */
  readonly keyBytes: readonly number[]
}

/** One picture per segment: its header and its first frame. */
export function keyFramePlaylist(request: KeyFramePlaylist): string {
  const { seconds, target, initAddress, segmentAddress, keyBytes } = request
  return joinLines([
    ...listHeader(target),
    '#EXT-X-I-FRAMES-ONLY',
    `#EXT-X-MAP:URI=${quoted(initAddress)}`,
    ...seconds.flatMap((length, segment) => [
      `#EXTINF:${length.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${keyBytes[segment] ?? 0}@0`,
      segmentAddress(segment),
    ]),
    '#EXT-X-ENDLIST',
  ])
}

const listHeader = (target: number) => [
  ...['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${target}`],
  ...['#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS'],
]

const keyLine = ({ address, iv }: SegmentKey) =>
  `#EXT-X-KEY:METHOD=AES-128,URI=${quoted(address)}${iv ? `,IV=0x${iv}` : ''}`

/** Subtitles as one WebVTT segment. Only subtitles may exceed the target duration of the other renditions. */
export const subtitlePlaylist = (duration: number, address: string): string =>
  joinLines([
    ...listHeader(targetFor([duration])),
    ...[`#EXTINF:${duration.toFixed(6)},`, address, '#EXT-X-ENDLIST'],
  ])
