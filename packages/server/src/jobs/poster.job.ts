import { Readable } from 'node:stream'
import type { Db } from '../db/database.js'
import type { Size } from '../media/ladder.js'
import { MediaError } from '../media/media-error.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import { pictureSize, picturesPlan, posterSeconds } from '../media/picture-args.js'
import { type FfmpegPlan, runFfmpeg } from '../media/run-ffmpeg.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { pictureKey, picturesOf, pictureWord, posterFile } from '../media-segments/picture-files.js'
import { sourceKey } from '../media-segments/segments.js'
import { findSource, type Source } from '../media-segments/source-plan.js'
import { defineJob } from './define-job.js'

interface Poster {
  readonly site_id: string
  readonly source_id: string
}

interface Thumbnail extends Size {
  readonly url: string
  readonly aspect_ratio: number
  readonly name: string
}

interface Picture extends Size {
  readonly bytes: Buffer
}

/** Behind what makes videos playable, before what nobody has asked for yet. */
export const posterPriority = 50

const widths = [240, 480, 720, 1280]
const limits = { seconds: 120, outputBytes: 64 * 1024 ** 2 }

/** Makes the pictures of a video from a frame of its source. The video can be played with them and without. */
export const poster = defineJob<Poster>({
  name: 'poster',
  attempts: 5,
  async run({ site_id, source_id }, { database: { db }, media, sealer, playerUrl, signal }) {
    const source = await findSource(db, site_id, source_id)
    if (!source) return
    const word = pictureWord(sealer, source_id)
    try {
      const thumbnails: Thumbnail[] = []
      for (const { width, height, bytes } of await makePictures(media, source, signal)) {
        const key = pictureKey(source_id, posterFile(width, word))
        await media.storage.put(key, Readable.from([bytes]))
        const aspect_ratio = Number((width / height).toFixed(2))
        thumbnails.push({ url: `${playerUrl}/${key}`, width, height, aspect_ratio, name: 'poster' })
      }
      await show(db, media, source, thumbnails)
    } catch (error) {
      // Those of the source before it would show another film.
      if (isFailure(error)) await show(db, media, source, [])
      throw error
    }
  },
})

const isFailure = (error: unknown) => error instanceof MediaError && error.code !== 'aborted'

async function makePictures(
  media: MediaParts,
  { _id, plan }: Source,
  signal?: AbortSignal,
): Promise<Picture[]> {
  const { ffmpeg, storage, withoutFfmpeg } = media
  const { facts } = plan
  const { video } = facts
  if (!video) return []
  if (!ffmpeg) throw new Error(withoutFfmpeg)
  const sizes = widths
    .map((width) => pictureSize(video, width))
    .filter(({ width }, index, all) => index === all.findIndex((size) => size.width === width))
  return storage.withLocalFile(sourceKey(_id), async (path) => {
    const wish = { source: path, facts, canToneMap: ffmpeg.canToneMap }
    const picturesAt = (seconds: number) => draw(ffmpeg, sizes, picturesPlan(wish, seconds, sizes), signal)
    const seconds = posterSeconds(facts)
    return picturesAt(seconds).catch((error) => {
      // A damaged file may have nothing there; what begins it could be played, so it can be shown.
      if (isFailure(error) && seconds > 0) return picturesAt(0)
      throw error
    })
  })
}

async function draw(
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

/** Puts the pictures into the record, and takes away those that it no longer has. */
async function show(
  db: Db,
  { storage }: MediaParts,
  { site_id, video_id, _id }: Source,
  thumbnails: readonly Thumbnail[],
): Promise<void> {
  // Asked before: none of these becomes the video's source again. A later one may.
  const replaced = await db<{ _id: string }[]>`
    select _id from sources
    where site_id = ${site_id} and video_id = ${video_id} and _id <> ${_id} and replaced_at is not null
  `
  const { count } = await db`
    update videos set thumbnails = ${JSON.stringify(thumbnails)}::text::jsonb, updated_at = now()
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null
  `
  // Another source may have become the video's in the meantime; then these are the old ones.
  const gone = count === 0 ? [_id] : replaced.map((source) => source._id)
  for (const source_id of gone) await storage.removeUnder(picturesOf(source_id))
}
