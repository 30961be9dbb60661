import { catalog } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { sql } from '../db/fragment.js'
import { notFound } from '../errors.js'
import { shortened } from '../lib/file-name.js'
import { forgetFailures } from '../media-segments/window-leases.js'
import { find } from '../resources/store.js'
import type { Digested } from '../storage/storage.js'
import { enqueuePrepare } from './film-jobs.js'
import { moveStatus, type VideoStatus, videoWith } from './status.js'

/** The files that a video is made from. */
export interface VideoSources {
  readonly status: VideoStatus
  /** The source that is published, or will be. */
  readonly media_source_id: string | null
  /** The source that replaces it once it can be played. */
  readonly pending_source_id: string | null
}

/** Locks a video against changes of its sources until the transaction ends. Always lock it before any of its sources. */
export async function lockVideo(
  tx: Db,
  site_id: string,
  video_id: string,
): Promise<VideoSources | undefined> {
  const [video] = await tx<VideoSources[]>`
    select status, media_source_id, pending_source_id from videos
    where site_id = ${site_id} and _id = ${video_id} and deleted_at is null for update
  `
  return video
}

export const isSourceOf = (
  { media_source_id, pending_source_id }: VideoSources,
  source_id: string,
): boolean => media_source_id === source_id || pending_source_id === source_id

/** Whether viewers can watch the video now. Then a new film replaces the present one only when it can be played too. */
const isPlaying = ({ status, media_source_id }: VideoSources): boolean =>
  status === 'ready' && media_source_id !== null

/** Retires all sources of a video except these. They are kept for a day, because signed addresses still name them. */
export async function retireOthers(
  tx: Db,
  site_id: string,
  video_id: string,
  kept: readonly (string | null)[],
): Promise<void> {
  await tx`
    update sources set replaced_at = now(), updated_at = now()
    where site_id = ${site_id} and video_id = ${video_id} and replaced_at is null
      and _id <> all(${kept.filter((each) => each !== null)}::text[])
  `
}

/** A stored file that is to become a source of a video. */
export interface NewSource extends Digested {
  readonly _id: string
  readonly site_id: string
  readonly file_name: string
}

/** Makes a stored file the source of its video and has it prepared, in the caller's transaction. Returns the video's record. */
export async function recordSource(
  tx: Db,
  { _id, site_id, file_name, size, sha256 }: NewSource,
  video_id: string,
): Promise<string> {
  const video = await lockVideo(tx, site_id, video_id)
  if (!video) throw notFound('video')
  await tx`
    insert into sources (_id, site_id, video_id, file_name, bytes, sha256)
    values (${_id}, ${site_id}, ${video_id}, ${shortened(file_name) || null}, ${size}, ${sha256})
  `
  const replaces = isPlaying(video)
  await retireOthers(tx, site_id, video_id, [replaces ? video.media_source_id : null, _id])
  if (replaces)
    await tx`
      update videos set pending_source_id = ${_id}, status_reason = null, updated_at = now()
      where site_id = ${site_id} and _id = ${video_id}
    `
  else {
    const columns = sql`media_source_id = ${_id}, pending_source_id = null, status_reason = null`
    await moveStatus(tx, 'film_arrived', videoWith(site_id, video_id), columns)
  }
  await enqueuePrepare(tx, { site_id, source_id: _id })
  await countArrival(tx)
  const record = await find(tx, catalog.videos, { site_id }, video_id)
  if (!record) throw notFound('video')
  return record
}

/**
 * Call at the end of the transaction that records a film or an image: a copy of the database that lacks it has a smaller number
 * in its lease. During a doubt nothing is counted.
 */
export async function countArrival(tx: Db): Promise<void> {
  await tx`update library_lease set number = number + 1 where doubt is null`
}

/** Has a source prepared as if nothing had been tried yet. The caller's transaction holds its video. */
export async function prepareAgain(tx: Db, site_id: string, source_id: string): Promise<void> {
  await tx`
    update sources set status = 'processing', failures = 0, error = null, updated_at = now()
    where site_id = ${site_id} and _id = ${source_id}
  `
  await forgetFailures(tx, source_id)
  await enqueuePrepare(tx, { site_id, source_id })
}

/** Begins the reason of a video whose new film is not ready, by the status of that film. */
export const replacementReasons: Readonly<Record<string, string>> = {
  processing: 'The new file is not ready yet. Viewers still see the previous one.',
  failed: 'The new file could not be processed. Viewers still see the previous one.',
}
