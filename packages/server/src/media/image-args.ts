import { limits } from '@zoetrope/contract'
import { inputName } from './allowed.js'
import type { ImageFacts, ImageForm, Orientation } from './image-facts.js'
import type { Size } from './ladder.js'
import { jpegOutputs } from './picture-args.js'
import { jpegColours } from './picture-filters.js'
import type { FfmpegPlan } from './run-ffmpeg.js'

/** The only demuxer and decoder that ffmpeg may use for each image format. */
const readers: Readonly<Record<ImageForm, readonly [demuxer: string, decoder: string]>> = {
  jpeg: ['jpeg_pipe', 'mjpeg'],
  png: ['png_pipe', 'png'],
  webp: ['webp_pipe', 'webp'],
  gif: ['gif', 'gif'],
}

const turns: Readonly<Record<Orientation, readonly string[]>> = {
  1: [],
  2: ['hflip'],
  3: ['hflip', 'vflip'],
  4: ['vflip'],
  5: ['transpose=cclock_flip'],
  6: ['transpose=clock'],
  7: ['transpose=clock_flip'],
  8: ['transpose=cclock'],
}

/** An image as JPEG in several sizes, the largest last; transparency becomes black. No metadata is kept. */
export function imagePlan(
  path: string,
  { form, orientation }: ImageFacts,
  sizes: readonly Size[],
): FfmpegPlan {
  const [demuxer, decoder] = readers[form]
  const { width, height } = sizes.at(-1) ?? { width: 2, height: 2 }
  const prepared = [
    ...turns[orientation],
    `scale=${width}:${height}:flags=area`,
    ...['setsar=1', 'format=gbrap', 'premultiply=inplace=1', `split=${sizes.length}`],
  ].join()
  const ends = sizes.map((_, index) => `[s${index}]`).join('')
  const chains = sizes.map(
    (size, index) => `[s${index}]scale=${size.width}:${size.height}:flags=area,${jpegColours}[p${index}]`,
  )
  return {
    program: 'ffmpeg',
    args: [
      // A partial image is refused: its rest would be grey.
      ...[
        '-xerror',
        '-err_detect',
        'explode',
        '-protocol_whitelist',
        'file,pipe',
        '-format_whitelist',
        demuxer,
        '-codec_whitelist',
        decoder,
      ],
      ...[
        '-max_pixels',
        String(limits.image_pixels.value),
        '-noautorotate',
        '-f',
        demuxer,
        '-i',
        inputName(path),
      ],
      ...['-filter_complex', [`[0:v]${prepared}${ends}`, ...chains].join(';')],
      ...jpegOutputs(sizes.length),
    ],
    pipes: sizes.length,
    files: [],
  }
}
