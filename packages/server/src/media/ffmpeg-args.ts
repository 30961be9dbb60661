import { inputLimits, inputName } from './allowed.js'
import { type AudioPlan, aacFrame } from './audio-plan.js'
import { spell } from './fraction.js'
import { type Grid, segmentCount, startOf, type Window } from './grid.js'
import type { Rung, Size } from './ladder.js'
import type { MediaSource } from './media-source.js'
import { cleanUp, scaleTo, standardColours } from './picture-filters.js'
import { readingLead } from './read-from.js'
import type { FfmpegPlan } from './run-ffmpeg.js'
import type { SourceFacts, VideoFacts } from './source-facts.js'

/**
 * The preset with a viewer waiting, and without. They are two profiles of a rung: their init segments differ.
 */
export type Preset = 'superfast' | 'veryfast' | 'faster' | 'medium'

/** The video of the WebM file. */
export interface Vp9Pictures extends Size {
  readonly method: 'vp9'
}

export interface VideoWindow {
  readonly source: MediaSource
  readonly facts: SourceFacts
  readonly grid: Grid
  readonly window: Window
  /** Several rungs share one decode; output `i` is rung `i`. */
  readonly rungs: readonly (Rung | Vp9Pictures)[]
  readonly preset: Preset
  readonly canToneMap: boolean
}

/** Windows use absolute times from the first picture on, whatever the file's start time. */
export const absoluteTimes = ({ lead = 0 }: SourceFacts): string[] => [
  ...['-copyts', '-start_at_zero'],
  ...(lead > 0 ? ['-itsoffset', `-${lead.toFixed(6)}`] : []),
]
const noTraces = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact']
const fragmented = [
  '-f',
  'mp4',
  '-flush_packets',
  '1',
  '-use_editlist',
  '0',
  '-avoid_negative_ts',
  'disabled',
]
const encodedFragments = '+frag_keyframe+empty_moov+default_base_moof+skip_trailer'
const copiedFragments = `${encodedFragments}+frag_discont`
const crf = '23'

/**
 * A window of encoded rungs, one fragment per segment. Those of VP9 are joined and remuxed once all exist.
 */
export function videoWindowPlan(request: VideoWindow): FfmpegPlan {
  const outputs = request.rungs.flatMap((rung, index) => [
    ...['-map', `[v${index}]`, '-r', spell(request.grid.frameRate)],
    ...(rung.method === 'vp9' ? vp9 : x264(request, rung)),
    ...forcedKeyFrames(request),
    ...['-video_track_timescale', String(request.grid.timescale), ...noTraces, '-flags:v', '+bitexact'],
    ...['-movflags', encodedFragments, ...fragmented, `pipe:${index + 3}`],
  ])
  return pipes(request.rungs.length, [...seekTo(request), ...graphOf(request), ...outputs])
}

const vp9 = [
  ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-threads', '2'],
  ...['-lag-in-frames', '0', '-auto-alt-ref', '0', '-crf', '34', '-b:v', '800k', '-maxrate', '1200k'],
  ...['-bufsize', '1600k', '-g', '9999'],
]

const pipes = (count: number, args: readonly string[]): FfmpegPlan => ({
  program: 'ffmpeg',
  args,
  pipes: count,
  files: [],
})

type Timed = Pick<VideoWindow, 'source' | 'facts' | 'grid' | 'window'>

/** Before the first picture there is nothing to seek to, and the first second is not worth a seek. */
const canSeek = ({ delay = 0 }: SourceFacts, seconds: number) => seconds > (delay > 0 ? delay + 1 : 0)

/** Seeks to the key frame at or before the window; frames in between are decoded and trimmed. */
function seekTo({ source, facts, grid, window }: Timed): string[] {
  const halfFrame = (0.4 * grid.frameRate.denominator) / grid.frameRate.numerator
  const begin = startOf(grid, window.from) + halfFrame
  const seconds = begin - readingLead(facts, begin) + (facts.lead ?? 0)
  const seek = window.from > 0 && canSeek(facts, begin) ? ['-noaccurate_seek', '-ss', seconds.toFixed(6)] : []
  return [...inputLimits(source), '-threads', '2', ...seek, ...absoluteTimes(facts), '-i', inputName(source)]
}

function videoOf({ video }: SourceFacts): VideoFacts {
  if (!video) throw new Error('A source without video has no windows of video.')
  return video
}

/** Whole frames on the grid, then each size scaled from the next larger one. */
function graphOf(request: VideoWindow): string[] {
  const { grid, window, canToneMap, rungs: sizes } = request
  const video = videoOf(request.facts)
  const isFromStart = window.from === 0 || !canSeek(request.facts, startOf(grid, window.from))
  const [first, last] = [grid.borders[window.from] ?? 0, grid.borders[window.to] ?? 0]
  const onGrid = [
    ...cleanUp(video),
    `fps=fps=${spell(grid.frameRate)}:round=near${isFromStart ? ':start_time=0' : ''}`,
    // A source that ends early repeats its last picture until its declared end.
    'tpad=stop=-1:stop_mode=clone',
    `trim=start_pts=${first}:end_pts=${last}`,
    `setpts=PTS-${first}`,
  ]
  const falling = sizes.map((size, output) => ({ size, output })).sort((a, b) => b.size.width - a.size.width)
  const chains = falling.map(({ size, output }, index) => {
    const from = falling[index - 1]?.size ?? video
    const begin = index === 0 ? `[0:${video.index}]${onGrid.join()},` : `[n${index - 1}]`
    const steps = [...scaleTo(from, size), ...(index === 0 ? standardColours(video, canToneMap) : [])].join()
    const isLast = index === falling.length - 1
    return `${begin}${steps}${isLast ? '' : ',split'}[v${output}]${isLast ? '' : `[n${index}]`}`
  })
  return ['-filter_complex_threads', '1', '-filter_complex', chains.join(';')]
}

function x264({ preset }: VideoWindow, { maxRate, level }: Rung): string[] {
  // Everything in the parameter sets is fixed, so that the init segments of all windows are identical.
  const fixed =
    'stitchable=1:vbv-init=0.4:keyint=infinite:scenecut=0:open-gop=0:b-pyramid=none:bframes=3:ref=1:weightp=1:8x8dct=1:cabac=1:threads=2'
  return [
    ...[
      '-c:v',
      'libx264',
      '-preset',
      preset,
      '-crf',
      crf,
      '-profile:v',
      'high',
      '-level',
      (level / 10).toFixed(1),
    ],
    ...['-maxrate', String(maxRate), '-bufsize', String(Math.round(maxRate * 1.5)), '-x264-params', fixed],
  ]
}

function forcedKeyFrames({ grid, window }: Pick<VideoWindow, 'grid' | 'window'>): string[] {
  const begin = startOf(grid, window.from)
  const times = grid.borders
    .slice(window.from, window.to)
    .map((_, index) => startOf(grid, window.from + index) - begin)
  return ['-force_key_frames', times.map((time) => time.toFixed(6)).join()]
}

/**
 * A window of the copied rung: one fragment per key frame, with absolute times. Yields slightly more than
 * requested.
 */
export function copyWindowPlan(request: Timed): FfmpegPlan {
  const { grid, window } = request
  const end = window.to < segmentCount(grid) ? ['-to', (startOf(grid, window.to) + 0.5).toFixed(6)] : []
  return pipes(1, [
    ...seekTo(request),
    ...['-map', `0:${videoOf(request.facts).index}`, '-c:v', 'copy', ...end],
    ...['-video_track_timescale', String(grid.timescale), ...noTraces],
    ...['-movflags', copiedFragments, ...fragmented, 'pipe:3'],
  ])
}

export interface AudioWindow {
  readonly source: MediaSource
  readonly facts: SourceFacts
  readonly audio: AudioPlan
  readonly window: Window
}

/** Frames an encoder needs before those that are kept, so that a seam between windows cannot be heard. */
export const audioLead = 8

/**
 * A window of audio: ADTS frames if encoded, fragments with absolute times if copied. Several encoded tracks of
 * one file are read together; output `i` is track `i`.
 */
export function audioWindowPlan(requests: readonly AudioWindow[]): FfmpegPlan {
  const [first, ...more] = requests
  if (!first) throw new Error('There is no track to make.')
  if (first.audio.method === 'encode') return encodedAudio(first, requests)
  if (more.length > 0) throw new Error('A copied audio track must be made alone.')
  return copiedAudio(first)
}

const audioIndex = ({ facts }: AudioWindow) => `0:${facts.audio?.index ?? 0}`
/** Seeking yields whole frames; the surplus is trimmed afterwards to the sample. */
const seekBefore = (facts: SourceFacts, seconds: number) =>
  canSeek(facts, seconds) ? ['-noaccurate_seek', '-ss', seconds.toFixed(6)] : []

function copiedAudio(request: AudioWindow): FfmpegPlan {
  const { audio, window, source } = request
  const at = (border: number) =>
    ((audio.borders[border] ?? 0) * aacFrame + audio.firstSample) / audio.sampleRate
  const isLast = window.to === audio.borders.length - 1
  return pipes(1, [
    ...[
      ...inputLimits(source),
      ...seekBefore(request.facts, window.from > 0 ? at(window.from) - 0.5 : 0),
      ...absoluteTimes(request.facts),
    ],
    ...['-i', inputName(source), '-map', audioIndex(request), '-c:a', 'copy', ...noTraces],
    ...(isLast ? [] : ['-to', (at(window.to) + 0.5).toFixed(6)]),
    ...['-movflags', '+empty_moov+default_base_moof+skip_trailer+frag_discont', '-frag_duration', '2000000'],
    ...[...fragmented, 'pipe:3'],
  ])
}

/** The first frame encoded for a window. */
export const firstEncoded = ({ borders }: AudioPlan, { from }: Window) =>
  Math.max(0, (borders[from] ?? 0) - audioLead)

/** Restores the positions of frames whose timestamps were rounded. */
function unrounded({ audio, lead = 0 }: SourceFacts): string[] {
  if (!audio?.rounded) return []
  const { frame, begin } = audio.rounded
  const origin = begin - Math.round(lead * audio.sampleRate)
  return [`asetpts='round((PTS-(${origin}))/${frame})*${frame}+(${origin})'`]
}

/** Encoded tracks of a file have the same borders, so one seek serves all. */
function encodedAudio(
  { audio, window, source, facts }: AudioWindow,
  all: readonly AudioWindow[],
): FfmpegPlan {
  const begin = (firstEncoded(audio, window) * aacFrame) / audio.sampleRate
  return pipes(all.length, [
    ...[
      ...inputLimits(source),
      ...seekBefore(facts, begin - 1),
      ...absoluteTimes(facts),
      '-i',
      inputName(source),
    ],
    ...all.flatMap((request, index) => [
      ...['-map', audioIndex(request), '-af', encodedFilters(request).join()],
      ...['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', String(request.audio.bitrate), ...noTraces],
      ...['-f', 'adts', `pipe:${index + 3}`],
    ]),
  ])
}

function encodedFilters({ audio, window, facts }: AudioWindow): string[] {
  const first = firstEncoded(audio, window)
  const end = (audio.borders[window.to] ?? 0) + 2
  return [
    ...unrounded(facts),
    `aresample=${audio.sampleRate}:async=1${first === 0 ? ':first_pts=0' : ''}`,
    `aformat=channel_layouts=${audio.channels > 2 ? '5.1' : 'stereo'}`,
    `atrim=start_pts=${first * aacFrame}:end_pts=${end * aacFrame}`,
    'asetpts=PTS-STARTPTS',
    `apad=whole_len=${(end - first) * aacFrame}`,
  ]
}
