import type { Db } from '../db/database.js'
import { posterKind, type SourceJob } from '../films/film-jobs.js'
import {
  drawPictures,
  isPoster,
  keepThumbnails,
  picturesOf,
  pictureWord,
  posterSizes,
  type Thumbnail,
} from '../films/pictures.js'
import { isCurrent } from '../films/renditions.js'
import { blamesFile } from '../media/media-error.js'
import { picturesPlan, posterSeconds } from '../media/picture-args.js'
import { findSource } from '../media-segments/find-source.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Source } from '../media-segments/source-plan.js'
import { withFilm } from '../media-segments/with-film.js'
import { defineJob } from './define-job.js'

/** What the publisher has chosen as the poster; null: chosen automatically. */
interface PosterChoice {
  readonly poster_seconds: number | null
  readonly poster_image_id: string | null
}

/** Makes the pictures of a video from a frame of its source. The video can be played with them and without. */
export const poster = defineJob<SourceJob>({
  ...posterKind,
  needsFfmpeg: true,
  async run({ site_id, source_id }, { database: { db }, media, sealer, mediaUrl, signal }) {
    const source = await findSource(media.cache, db, site_id, source_id)
    if (!source) return
    const choice = await choiceFor(db, source)
    if (choice.poster_image_id !== null) return forgetReplaced(db, media, source)
    const { poster_seconds } = choice
    try {
      const pictures = await makePictures(media, source, poster_seconds, signal)
      const word = pictureWord(sealer, source_id, poster_seconds ?? undefined)
      const owner = { owner_id: source_id, word }
      const thumbnails = await keepThumbnails(media.storage, mediaUrl, owner, pictures)
      await show(db, media, source, choice, thumbnails)
    } catch (error) {
      // The pictures of the source before it show another film.
      if (blamesFile(error)) await show(db, media, source, choice, [])
      throw error
    }
  },
})

async function choiceFor(db: Db, { site_id, video_id }: Source): Promise<PosterChoice> {
  const [choice] = await db<PosterChoice[]>`
    select poster_seconds, poster_image_id from videos where site_id = ${site_id} and _id = ${video_id}
  `
  return choice ?? { poster_seconds: null, poster_image_id: null }
}

async function makePictures(
  media: MediaParts,
  { _id, plan }: Source,
  chosen: number | null,
  signal?: AbortSignal,
) {
  const { facts } = plan
  const { video } = facts
  if (!video) return []
  const sizes = posterSizes(video)
  return withFilm(media.storage, media.ffmpeg.need(), sourceKey(_id), async (film, ffmpeg) => {
    const picture = { source: film, facts, canToneMap: ffmpeg.canToneMap }
    const picturesAt = (seconds: number) =>
      drawPictures(ffmpeg, sizes, picturesPlan(picture, seconds, sizes), signal)
    // The film may have been replaced by a shorter one.
    const seconds = chosen !== null && chosen < facts.duration ? chosen : posterSeconds(facts)
    return picturesAt(seconds).catch((error) => {
      // A damaged file may have no picture there. Its beginning was decoded before, so the first frame is used.
      if (blamesFile(error) && seconds > 0) return picturesAt(0)
      throw error
    })
  })
}

/** Writes the pictures into the record, and deletes those that it no longer shows. */
async function show(
  db: Db,
  media: MediaParts,
  source: Source,
  { poster_seconds }: PosterChoice,
  thumbnails: readonly Thumbnail[],
): Promise<void> {
  const { site_id, video_id, _id } = source
  const { storage } = media
  const { count } = await db`
    update videos set thumbnails = ${JSON.stringify(thumbnails)}::text::jsonb, updated_at = now()
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null
      and poster_image_id is null and poster_seconds is not distinct from ${poster_seconds}
  `
  if (count > 0) {
    await forgetReplaced(db, media, source)
    const shown = new Set(thumbnails.map(({ url }) => url.split('/').at(-1)))
    for await (const { key } of storage.list(picturesOf(_id))) {
      const file = key.split('/').at(-1) ?? ''
      if (isPoster(file) && !shown.has(file)) await storage.remove(key)
    }
  } else if (!(await isCurrent(db, source))) {
    // Another source has replaced this one meanwhile, so these pictures are outdated.
    await storage.removeUnder(picturesOf(_id))
  }
}

/** Deletes the pictures of films that this one has replaced. Those never become current again; a later film may. */
async function forgetReplaced(
  db: Db,
  { storage }: MediaParts,
  { site_id, video_id, _id }: Source,
): Promise<void> {
  const replaced = await db<{ _id: string }[]>`
    select _id from sources
    where site_id = ${site_id} and video_id = ${video_id} and _id <> ${_id} and replaced_at is not null
  `
  for (const source of replaced) await storage.removeUnder(picturesOf(source._id))
}
