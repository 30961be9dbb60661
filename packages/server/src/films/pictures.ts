import { Readable } from 'node:stream'
import type { Sealer } from '../lib/sealing.js'
import type { Size } from '../media/ladder.js'
import { MediaError } from '../media/media-error.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import { pictureSize } from '../media/picture-args.js'
import { type FfmpegPlan, type RunLimits, runFfmpeg } from '../media/run-ffmpeg.js'
import type { Storage } from '../storage/storage.js'

/** The storage folder with the pictures of a source or of an uploaded image. */
export const picturesOf = (source_id: string) => `pictures/${source_id}`

export const pictureKey = (source_id: string, file: string) => `${picturesOf(source_id)}/${file}`

/** An unguessable part of every file name: knowing a video's id is not enough to find the pictures of a hidden video. */
export const pictureWord = (sealer: Sealer, source_id: string, seconds?: number) =>
  // Browsers cache pictures indefinitely, so a poster from another moment needs another name.
  sealer.derive('picture', seconds === undefined ? source_id : `${source_id} ${seconds}`).slice(0, 16)

/** The storyboard shows the whole film, so its word cannot be derived from that of the poster, which anybody may see. */
export const storyboardWord = (sealer: Sealer, source_id: string) =>
  sealer.derive('storyboard', source_id).slice(0, 16)

export const posterFile = (width: number, word: string) => `poster-${width}-${word}.jpg`
export const isPoster = (file: string) => file.startsWith('poster-')
export const sheetFile = (sheet: number, word: string) => `storyboard-${sheet}-${word}.jpg`
export const previewFile = (word: string) => `preview-${word}.webp`
export const cuesFile = (word: string) => `storyboard-${word}.vtt`

const types: readonly (readonly [RegExp, string])[] = [
  [/^(poster|storyboard)-\d{1,4}-[0-9a-f]{16}\.jpg$/, 'image/jpeg'],
  [/^preview-[0-9a-f]{16}\.webp$/, 'image/webp'],
  [/^storyboard-[0-9a-f]{16}\.vtt$/, 'text/vtt; charset=utf-8'],
]

/** The media type of a file with one of the names above; undefined for every other name. */
export const pictureType = (file: string): string | undefined => types.find(([name]) => name.test(file))?.[1]

/** A picture of a video, as its record names it. */
export interface Thumbnail extends Size {
  readonly url: string
  readonly aspect_ratio: number
  readonly name: string
}

interface EncodedPicture extends Size {
  readonly bytes: Buffer
}

const widths = [240, 480, 720, 1280]
const limits = { seconds: 120, outputBytes: 64 * 1024 ** 2 }

/** The sizes in which a picture is offered, from small to large. None is larger than the original. */
export const posterSizes = (size: Size): Size[] =>
  widths
    .map((width) => pictureSize(size, width))
    .filter(({ width }, index, all) => index === all.findIndex((other) => other.width === width))

/** Draws a picture in each of these sizes with ffmpeg. */
export async function drawPictures(
  ffmpeg: OpenedFfmpeg,
  sizes: readonly Size[],
  plan: FfmpegPlan,
  signal?: AbortSignal,
  bounds: Pick<RunLimits, 'seconds' | 'outputBytes'> = limits,
): Promise<EncodedPicture[]> {
  const parts = sizes.map((): Buffer[] => [])
  const outputs = parts.map((part) => async (bytes: AsyncIterable<Buffer>) => {
    for await (const chunk of bytes) part.push(chunk)
  })
  await runFfmpeg(ffmpeg, plan, { outputs, limits: bounds, nice: 5, ...(signal ? { signal } : {}) })
  return sizes.map((size, index) => {
    const bytes = Buffer.concat(parts[index] ?? [])
    if (bytes.length === 0) throw new MediaError('failed', 'There is no picture at this place of the video.')
    return { ...size, bytes }
  })
}

/** Stores drawn pictures below the source or the image they were drawn from, and returns their addresses. */
export async function keepThumbnails(
  storage: Storage,
  mediaUrl: string,
  { owner_id, word }: { readonly owner_id: string; readonly word: string },
  pictures: readonly EncodedPicture[],
): Promise<Thumbnail[]> {
  const thumbnails: Thumbnail[] = []
  for (const { width, height, bytes } of pictures) {
    const key = pictureKey(owner_id, posterFile(width, word))
    await storage.put(key, Readable.from([bytes]))
    const aspect_ratio = Number((width / height).toFixed(2))
    thumbnails.push({ url: `${mediaUrl}/${key}`, width, height, aspect_ratio, name: 'poster' })
  }
  return thumbnails
}
