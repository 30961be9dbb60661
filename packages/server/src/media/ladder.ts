import { type AacCopy, canCopyAudio } from './audio-plan.js'
import { type Format, formatBoxes, type HlsFormat, hlsFormats } from './formats.js'
import { toNumber } from './fraction.js'
import type { SourceFacts, VideoFacts } from './source-facts.js'

export interface Size {
  readonly width: number
  readonly height: number
}

/** One HLS quality of the video. */
export interface Rung extends Size {
  readonly name: HlsFormat
  readonly method: 'copy' | 'encode'
  /** Its maximum and its likely bit rate. */
  readonly maxRate: number
  readonly averageRate: number
  /** The H.264 level times ten; encoded rungs use the High profile. */
  readonly level: number
  /** For CODECS in playlists: avc1.64001F. */
  readonly codecs: string
}

/** VP9 is slow: a pixel takes this many times as long as in H.264. */
export const vp9Weight = 3

export interface Ladder {
  /** From smallest to largest; empty without video or without a requested HLS format. */
  readonly rungs: readonly Rung[]
  readonly copy: CopyDecision
  readonly audioCopy: AacCopy
}

export type CopyDecision = { readonly can: true } | { readonly can: false; readonly reason: string }

/** The rungs for a channel's formats, never larger than the source. */
export function planLadder(facts: SourceFacts, wanted: readonly Format[]): Ladder {
  const { video } = facts
  const audioCopy = canCopyAudio(facts)
  if (!video) return { rungs: [], copy: { can: false, reason: 'There is no video.' }, audioCopy }
  const copy = canCopy(facts)
  const sized = sizesFor(
    video,
    hlsFormats.filter((name) => wanted.includes(name)),
    copy.can,
  )
  const rungs = sized.map(({ name, size }) => {
    const isSource = size.width === video.width && size.height === video.height
    return copy.can && isSource ? copiedRung(name, video) : encodedRung(name, size, video)
  })
  return { rungs, copy, audioCopy }
}

/**
 * Above the source only one rung is made, at the source's own size, and only if it shows notably more or
 * costs nothing.
 */
function sizesFor(
  video: VideoFacts,
  names: readonly HlsFormat[],
  isFree: boolean,
): { name: HlsFormat; size: Size }[] {
  const found: { name: HlsFormat; size: Size }[] = []
  for (const name of names) {
    const size = fitFormat(video, name)
    const last = found.at(-1)?.size
    const isFull = size.width >= video.width - 1 && size.height >= video.height - 1
    if (!last || !isFull || isFree || area(size) > area(last) * notablyMore) found.push({ name, size })
    if (isFull) break
  }
  return found
}

const notablyMore = 1.2
const area = ({ width, height }: Size) => width * height

/** The picture within a format's box: shape kept, even sides, never enlarged; a portrait turns the box. */
export function fitFormat(video: Size, name: Format): Size {
  const { width, height } = formatBoxes[name]
  const box = video.width >= video.height ? { width, height } : { width: height, height: width }
  const scale = Math.min(box.width / video.width, box.height / video.height)
  if (scale > 1) return { width: evenDown(video.width), height: evenDown(video.height) }
  const isBoxShaped = Math.abs(video.width / video.height / (box.width / box.height) - 1) < 0.01
  return isBoxShaped ? box : { width: even(video.width * scale), height: even(video.height * scale) }
}

const even = (length: number) => Math.max(2, Math.round(length / 2) * 2)
const evenDown = (length: number) => Math.max(2, Math.floor(length / 2) * 2)

function encodedRung(name: HlsFormat, size: Size, video: VideoFacts): Rung {
  const { maxRate } = formatBoxes[name]
  const level = levelFor(size, toNumber(video.frameRate))
  const averageRate = Math.round(maxRate * 0.8)
  return { name, method: 'encode', ...size, maxRate, averageRate, level, codecs: `avc1.6400${hex(level)}` }
}

function copiedRung(name: HlsFormat, video: VideoFacts): Rung {
  const { width, height, bitrate, profile, level = 40, avc } = video
  const averageRate = bitrate ?? copyLimits.bitrate
  const codecs = `avc1.${avc?.toUpperCase() ?? `${profiles[profile ?? ''] ?? '6400'}${hex(level)}`}`
  return {
    name,
    method: 'copy',
    width,
    height,
    maxRate: Math.round(averageRate * 1.5),
    averageRate,
    level,
    codecs,
  }
}

const hex = (level: number) => level.toString(16).toUpperCase().padStart(2, '0')

/** Profiles that every player decodes, with their number and constraints. */
const profiles: Readonly<Record<string, string>> = {
  'Constrained Baseline': '42E0',
  Baseline: '4200',
  Main: '4D40',
  High: '6400',
}

/** The limits for copying a source's video. */
export const copyLimits = { width: 1920, height: 1080, keyFrameSeconds: 10, bitrate: 12_000_000, level: 42 }

/** Whether the video can be published without encoding; if not, why, for the log and the record. */
export function canCopy({ container, duration, video }: SourceFacts): CopyDecision {
  if (!video) return { can: false, reason: 'There is no video.' }
  const [long, short] = [Math.max(video.width, video.height), Math.min(video.width, video.height)]
  const hindrances: readonly (readonly [boolean, string])[] = [
    [container !== 'mov' && container !== 'matroska', `The container (${container}) has no exact index.`],
    [video.codec !== 'h264', `The video is ${video.codec}, not H.264.`],
    [
      !(video.profile !== undefined && video.profile in profiles),
      `Few players decode the profile ${video.profile}.`,
    ],
    [(video.level ?? 0) > copyLimits.level, 'Its level is above 4.2.'],
    [video.pixelFormat !== 'yuv420p', `Its pixels are ${video.pixelFormat}, not yuv420p.`],
    [long > copyLimits.width || short > copyLimits.height, 'The picture is larger than 1080p.'],
    [video.width % 2 === 1 || video.height % 2 === 1, 'Its sides are not even.'],
    [video.rotation !== 0, 'The picture has to be turned.'],
    [!video.hasSquarePixels, 'Its pixels are not square.'],
    [video.isInterlaced, 'It is interlaced.'],
    [video.isHdr, 'It is HDR.'],
    [!video.hasConstantRate, 'Its frame rate varies.'],
    [(video.bitrate ?? 0) > copyLimits.bitrate, 'It has more than 12 Mbit a second.'],
    [longestGap(video.keyFrames, duration) > copyLimits.keyFrameSeconds, 'Its key frames are too far apart.'],
  ]
  const hindrance = hindrances.find(([holds]) => holds)
  return hindrance ? { can: false, reason: hindrance[1] } : { can: true }
}

function longestGap(keyFrames: readonly number[] | undefined, duration: number): number {
  if (!keyFrames || keyFrames.length === 0 || Math.abs(keyFrames[0] ?? 1) > 0.1) return Infinity
  return keyFrames.reduce(
    (longest, time, index) => Math.max(longest, (keyFrames[index + 1] ?? duration) - time),
    0,
  )
}

/** H.264 levels: macroblocks per picture and per second. */
const levels = [
  [21, 792, 19_800],
  [30, 1620, 40_500],
  [31, 3600, 108_000],
  [32, 5120, 216_000],
  [40, 8192, 245_760],
  [42, 8704, 522_240],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
] as const

export function levelFor({ width, height }: Size, frameRate: number): number {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  return levels.find(([, picture, second]) => blocks <= picture && blocks * frameRate <= second)?.[0] ?? 52
}
