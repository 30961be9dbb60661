import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import { enqueuePoster } from '../../films/film-jobs.js'
import type { Thumbnail } from '../../films/pictures.js'
import { countArrival, lockVideo } from '../../films/sources.js'
import { readSource } from '../../media-segments/find-source.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, type Scope, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'

/** Stores the chosen moment and enqueues the job that extracts its thumbnails. */
export async function choosePoster({ parts, resource, scope, id, body }: CallOf<'videos', 'poster'>) {
  const { database } = parts
  const seconds = secondsOf(body.time)
  const record = await database.transaction(async (tx) => {
    const video = await lockVideo(tx, scope.site_id, id)
    if (!video) throw notFound(resource.name)
    const source_id = video.media_source_id ?? video.pending_source_id
    if (!source_id) throw noFrame('this video has no file yet')
    await checkMoment(tx, scope.site_id, source_id, seconds)
    const choice = { poster_seconds: seconds, poster_image_id: null }
    const changed = await update(tx, resource, scope, id, choice)
    await drawAgain(tx, scope.site_id, video.media_source_id)
    return changed
  })
  return answer(record ?? '{}')
}

/** Resets the poster to the automatic one. Without a film, the video has no thumbnails then. */
export async function automaticPoster({ parts, resource, scope, id }: Call) {
  const { database } = parts
  const record = await database.transaction(async (tx) => {
    const video = await lockVideo(tx, scope.site_id, id)
    if (!video) throw notFound(resource.name)
    await tx`
      update videos set poster_seconds = null, poster_image_id = null, updated_at = now(),
        thumbnails = case when media_source_id is null then '[]' else thumbnails end
      where site_id = ${scope.site_id} and _id = ${id}
    `
    await drawAgain(tx, scope.site_id, video.media_source_id)
    return find(tx, resource, scope, id)
  })
  return answer(record ?? '{}')
}

/** Sets an image as the poster, in the caller's transaction. Returns the record and the id of the image replaced. */
export async function showImage(
  tx: Db,
  { resource, scope, id }: { resource: Call['resource']; scope: Scope; id: string },
  image: { readonly _id: string; readonly thumbnails: readonly Thumbnail[] },
): Promise<{ readonly record: string; readonly replaced: string | null }> {
  const [before] = await tx<{ poster_image_id: string | null }[]>`
    select poster_image_id from videos
    where site_id = ${scope.site_id} and _id = ${id} and deleted_at is null for no key update
  `
  if (!before) throw notFound(resource.name)
  await tx`
    update videos set poster_seconds = null, poster_image_id = ${image._id}, updated_at = now(),
      thumbnails = ${JSON.stringify(image.thumbnails)}::text::jsonb
    where site_id = ${scope.site_id} and _id = ${id}
  `
  await countArrival(tx)
  const record = await find(tx, resource, scope, id)
  return { record: record ?? '{}', replaced: before.poster_image_id }
}

/** Enqueues the thumbnails of a film. A film still in preparation gets them at the end of it. */
async function drawAgain(tx: Db, site_id: string, source_id: string | null): Promise<void> {
  if (source_id === null) return
  await enqueuePoster(tx, { site_id, source_id })
}

async function checkMoment(tx: Db, site_id: string, source_id: string, seconds: number): Promise<void> {
  const facts = (await readSource(tx, site_id, source_id))?.plan.facts
  if (!facts) return
  if (!facts.video) throw noFrame('this video is only heard')
  if (seconds >= facts.duration) throw noFrame(`the video lasts ${facts.duration.toFixed(3)} seconds`)
}

const noFrame = (why: string) =>
  invalid(`There is no frame at this time: ${why}.`, { time: [`names no frame: ${why}`] })

/** Parses a time: 62.5, 1:02.5 and 00:01:02,500 are equal. */
const secondsOf = (time: string): number =>
  time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
