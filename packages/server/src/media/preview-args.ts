import { inputLimits, inputName } from './allowed.js'
import { type PictureRequest, pictureSize, withoutLead } from './picture-args.js'
import { cleanUp, scaleTo, standardColours } from './picture-filters.js'
import { readingLead } from './read-from.js'
import type { FfmpegPlan } from './run-ffmpeg.js'

/** A part of a film: start and length in seconds. */
export interface Cut {
  readonly start: number
  readonly seconds: number
}

const cuts = 5
const cutSeconds = 0.7
const framesPerSecond = 10
const longSide = 320
const shortSide = 180

/** Short parts from the whole film; all of it if it is hardly longer than they are. */
export function previewCuts(duration: number): readonly Cut[] {
  if (duration <= cuts * cutSeconds) return [{ start: 0, seconds: duration }]
  const part = duration / cuts
  return Array.from({ length: cuts }, (_, cut) => ({
    start: (cut + 0.5) * part - cutSeconds / 2,
    seconds: cutSeconds,
  }))
}

/** WebP, too, has only one colour space. */
const webpColours = 'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p'

/** A few seconds of a film as an animated WebP, which pages show like any picture. */
export function previewPlan(request: PictureRequest, quality: number, target: string): FfmpegPlan {
  const { video, duration } = request.facts
  if (!video) throw new Error('A source without video has no preview.')
  const size = pictureSize(video, video.width >= video.height ? longSide : shortSide)
  const pieces = previewCuts(duration).map((cut) => ({ ...cut, lead: readingLead(request.facts, cut.start) }))
  // It is too short for a second picture.
  const isSingle = duration < 1 / framesPerSecond
  const steps = [
    ...cleanUp(video),
    `fps=${framesPerSecond}${isSingle ? ':eof_action=pass' : ''}`,
    ...scaleTo(video, size),
    ...standardColours(video, request.canToneMap),
    ...[webpColours, 'setpts=PTS-STARTPTS'],
  ].join()
  const chains = pieces.map(
    ({ lead }, cut) => `[${cut}:${video.index}]${[...withoutLead(lead), steps].join()}[c${cut}]`,
  )
  const ends = pieces.map((_, cut) => `[c${cut}]`).join('')
  return {
    program: 'ffmpeg',
    args: [
      ...pieces.flatMap(({ start, seconds, lead }) => [
        ...inputLimits(request.source),
        ...[
          '-ss',
          (start - lead).toFixed(3),
          '-t',
          (lead + seconds).toFixed(3),
          '-i',
          inputName(request.source),
        ],
      ]),
      ...['-filter_complex', [...chains, `${ends}concat=n=${pieces.length}[v]`].join(';'), '-map', '[v]'],
      ...['-c:v', 'libwebp_anim', '-quality', String(quality), '-loop', '0', '-map_metadata', '-1'],
      ...['-f', 'webp', inputName(target)],
    ],
    pipes: 0,
    files: [target],
  }
}
