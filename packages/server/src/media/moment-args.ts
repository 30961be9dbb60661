import { inputLimits, inputName } from './allowed.js'
import type { Size } from './ladder.js'
import { type PictureRequest, withoutLead } from './picture-args.js'
import { cleanUp, scaleTo, standardColours } from './picture-filters.js'
import type { Cut } from './preview-args.js'
import { readingLead } from './read-from.js'
import type { FfmpegPlan } from './run-ffmpeg.js'

/** A part of a film as a moving picture. */
export interface MovingPicture extends Cut {
  readonly form: 'webp' | 'gif'
  readonly framesPerSecond: number
  readonly size: Size
}

/** WebP has one colour space; GIF has 256 colours, chosen from the pictures. */
const endings = {
  webp: {
    filters: 'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p[v]',
    codec: ['-c:v', 'libwebp_anim', '-quality', '50'],
  },
  gif: { filters: 'split[a][b];[a]palettegen[p];[b][p]paletteuse[v]', codec: ['-c:v', 'gif'] },
} as const

export function movingPicturePlan(request: PictureRequest, moving: MovingPicture): FfmpegPlan {
  const { video } = request.facts
  if (!video) throw new Error('A source without video has no pictures.')
  const { start, seconds, form, framesPerSecond, size } = moving
  const lead = readingLead(request.facts, start)
  const { filters, codec } = endings[form]
  const steps = [
    ...[...withoutLead(lead), ...cleanUp(video), 'setpts=PTS-STARTPTS', `fps=${framesPerSecond}`],
    ...[...scaleTo(video, size), ...standardColours(video, request.canToneMap), filters],
  ]
  return {
    program: 'ffmpeg',
    args: [
      ...inputLimits(request.source),
      ...[
        '-ss',
        (start - lead).toFixed(3),
        '-t',
        (lead + seconds).toFixed(3),
        '-i',
        inputName(request.source),
      ],
      ...['-filter_complex', `[0:${video.index}]${steps.join()}`, '-map', '[v]', ...codec],
      ...['-loop', '0', '-map_metadata', '-1', '-f', form, 'pipe:3'],
    ],
    pipes: 1,
    files: [],
  }
}
