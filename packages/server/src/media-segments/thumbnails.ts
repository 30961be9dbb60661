import { Readable } from 'node:stream'
import type { Size } from '../media/ladder.js'
import { MediaError } from '../media/media-error.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import { pictureSize } from '../media/picture-args.js'
import { type FfmpegPlan, runFfmpeg } from '../media/run-ffmpeg.js'
import type { Storage } from '../storage/storage.js'
import { pictureKey, posterFile } from './picture-files.js'

/** A picture of a video, as its record names it. */
export interface Thumbnail extends Size {
  readonly url: string
  readonly aspect_ratio: number
  readonly name: string
}

interface Picture extends Size {
  readonly bytes: Buffer
}

const widths = [240, 480, 720, 1280]
const limits = { seconds: 120, outputBytes: 64 * 1024 ** 2 }

/** The sizes in which a picture is offered, from small to large; none larger than itself. */
export const posterSizes = (size: Size): Size[] =>
  widths
    .map((width) => pictureSize(size, width))
    .filter(({ width }, index, all) => index === all.findIndex((other) => other.width === width))

/** Lets ffmpeg draw a picture in these sizes. */
export async function drawPictures(
  ffmpeg: OpenedFfmpeg,
  sizes: readonly Size[],
  plan: FfmpegPlan,
  signal?: AbortSignal,
): Promise<Picture[]> {
  const parts = sizes.map((): Buffer[] => [])
  const outputs = parts.map((part) => async (bytes: AsyncIterable<Buffer>) => {
    for await (const chunk of bytes) part.push(chunk)
  })
  await runFfmpeg(ffmpeg, plan, { outputs, limits, nice: 5, ...(signal ? { signal } : {}) })
  return sizes.map((size, index) => {
    const bytes = Buffer.concat(parts[index] ?? [])
    if (bytes.length === 0) throw new MediaError('failed', 'There is no picture at this place of the video.')
    return { ...size, bytes }
  })
}

/** Puts drawn pictures where pages find them: below the source or the image they were drawn from. */
export async function keepThumbnails(
  storage: Storage,
  playerUrl: string,
  { owner_id, word }: { readonly owner_id: string; readonly word: string },
  pictures: readonly Picture[],
): Promise<Thumbnail[]> {
  const thumbnails: Thumbnail[] = []
  for (const { width, height, bytes } of pictures) {
    const key = pictureKey(owner_id, posterFile(width, word))
    await storage.put(key, Readable.from([bytes]))
    const aspect_ratio = Number((width / height).toFixed(2))
    thumbnails.push({ url: `${playerUrl}/${key}`, width, height, aspect_ratio, name: 'poster' })
  }
  return thumbnails
}
