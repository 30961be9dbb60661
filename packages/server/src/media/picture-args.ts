import { join } from 'node:path'
import { inputLimits, inputName } from './allowed.js'
import type { Size } from './ladder.js'
import type { MediaSource } from './media-source.js'
import { cleanUp, jpegColours, scaleTo, standardColours } from './picture-filters.js'
import { readingLead } from './read-from.js'
import type { FfmpegPlan } from './run-ffmpeg.js'
import type { SourceFacts, VideoFacts } from './source-facts.js'

export interface PictureRequest {
  readonly source: MediaSource
  readonly facts: SourceFacts
  readonly canToneMap: boolean
}

function videoOf({ video }: SourceFacts): VideoFacts {
  if (!video) throw new Error('A source without video has no pictures.')
  return video
}

/** A representative moment: the key frame nearest to a tenth of the duration. */
export function posterSeconds(facts: SourceFacts): number {
  const request = Math.min(facts.duration * 0.1, 30)
  const times = facts.video?.keyFrames ?? []
  return times.reduce(
    (best, time) => (Math.abs(time - request) < Math.abs(best - request) ? time : best),
    times[0] ?? request,
  )
}

/** The picture size for a desired width: shape kept, even, never larger than the source. */
export function pictureSize({ width, height }: Size, desiredWidth: number): Size {
  const scale = Math.min(1, desiredWidth / width)
  const even = (length: number) => Math.max(2, Math.round(length / 2) * 2)
  return { width: even(width * scale), height: even(height * scale) }
}

/** Drops frames read before the requested moment. */
export const withoutLead = (lead: number): string[] => (lead > 0 ? [`trim=start=${lead.toFixed(6)}`] : [])

/** One moment as JPEG in several sizes, decoded once; output `i` is size `i`. The largest is the poster. */
export function picturesPlan(request: PictureRequest, seconds: number, sizes: readonly Size[]): FfmpegPlan {
  const video = videoOf(request.facts)
  const lead = readingLead(request.facts, seconds)
  const prepared = [...withoutLead(lead), ...cleanUp(video), `split=${sizes.length}`].join()
  const ends = sizes.map((_, index) => `[s${index}]`).join('')
  const chains = sizes.map((size, index) => {
    const steps = [...scaleTo(video, size), ...standardColours(video, request.canToneMap), jpegColours]
    return `[s${index}]${steps.join()}[p${index}]`
  })
  return {
    program: 'ffmpeg',
    args: [
      ...inputLimits(request.source),
      ...(seconds > lead ? ['-ss', (seconds - lead).toFixed(6)] : []),
      ...['-i', inputName(request.source), '-filter_complex'],
      [`[0:${video.index}]${prepared}${ends}`, ...chains].join(';'),
      ...jpegOutputs(sizes.length),
    ],
    pipes: sizes.length,
    files: [],
  }
}

const jpeg = ['-c:v', 'mjpeg', '-q:v', '4', '-map_metadata', '-1']

/** One picture from each of the outputs [p0], [p1]… of a graph, through pipes. */
export const jpegOutputs = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => [
    ...['-map', `[p${index}]`, '-frames:v', '1', ...jpeg, '-f', 'image2pipe', `pipe:${index + 3}`],
  ]).flat()

/** Small pictures of the whole video on a few sheets, for scrubbing. */
interface Storyboard {
  readonly tile: Size
  readonly columns: number
  readonly rows: number
  /** Seconds between pictures. */
  readonly interval: number
  readonly pictures: number
  readonly sheets: number
}

const mostPictures = 300

export function planStoryboard(facts: SourceFacts): Storyboard {
  const video = videoOf(facts)
  const interval = Math.max(2, Math.ceil(facts.duration / mostPictures))
  const pictures = Math.max(1, Math.ceil(facts.duration / interval))
  const [columns, rows] = [10, 10]
  const tile = pictureSize(video, video.width >= video.height ? 160 : 90)
  return { tile, columns, rows, interval, pictures, sheets: Math.ceil(pictures / (columns * rows)) }
}

/**
 * The sheets as files 0.jpg, 1.jpg… in a folder. Only key frames are decoded: a third of the work, and
 * accurate enough.
 */
export function storyboardPlan(request: PictureRequest, board: Storyboard, folder: string): FfmpegPlan {
  const video = videoOf(request.facts)
  const filters = [
    ...cleanUp(video),
    ...scaleTo(video, board.tile),
    ...standardColours(video, request.canToneMap),
    jpegColours,
    `fps=fps=1/${board.interval}:round=up:start_time=0`,
    'tpad=stop=-1:stop_mode=clone',
    `trim=end_frame=${board.pictures}`,
    `tile=${board.columns}x${board.rows}`,
  ]
  return {
    program: 'ffmpeg',
    args: [
      ...[
        ...inputLimits(request.source),
        '-skip_frame',
        'nokey',
        '-copyts',
        '-start_at_zero',
        '-i',
        inputName(request.source),
      ],
      ...['-map', `0:${video.index}`, '-vf', filters.join(), '-frames:v', String(board.sheets), ...jpeg],
      // A percent sign in the folder's name would be read as a pattern.
      ...['-f', 'image2', '-start_number', '0', join(folder.replaceAll('%', '%%'), '%d.jpg')],
    ],
    pipes: 0,
    files: Array.from({ length: board.sheets }, (_, sheet) => join(folder, `${sheet}.jpg`)),
  }
}

/** WebVTT that maps each moment to a part of a sheet. */
export function storyboardCues(
  { tile, columns, rows, interval, pictures }: Storyboard,
  duration: number,
  sheetAddress: (sheet: number) => string,
): string {
  const perSheet = columns * rows
  const cues = Array.from({ length: pictures }, (_, picture) => {
    const place = picture % perSheet
    const [x, y] = [(place % columns) * tile.width, Math.floor(place / columns) * tile.height]
    const [from, to] = [picture * interval, Math.min(duration, (picture + 1) * interval)]
    const address = sheetAddress(Math.floor(picture / perSheet))
    return `${cueTime(from)} --> ${cueTime(to)}\n${address}#xywh=${x},${y},${tile.width},${tile.height}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

function cueTime(seconds: number): string {
  const whole = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(whole % 1000).padStart(3, '0')
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}.${rest}`
}
