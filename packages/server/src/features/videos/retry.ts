import type { Db } from '../../db/database.js'
import { sql } from '../../db/fragment.js'
import { invalid, notFound } from '../../errors.js'
import { enqueueFill } from '../../films/film-jobs.js'
import { lockVideo, prepareAgain } from '../../films/sources.js'
import { videoWith, writeWithStatus } from '../../films/status.js'
import { forgetFailures } from '../../media-segments/window-leases.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find } from '../../resources/store.js'
import { retryImportOf } from '../video-imports/proceed.js'

/** The source of a video to retry. */
interface RetriedSource {
  readonly source_id: string
  readonly source_status: string
  /** False if it is a replacement for a source that plays. */
  readonly is_main: boolean
  readonly is_complete: boolean
}

/** Retries failed or stuck work. Work that waits for its next attempt starts at once. */
export async function retryVideo({ parts, resource, scope, id }: Call) {
  const { database } = parts
  const record = await database.transaction(async (tx) => {
    const video = await lockVideo(tx, scope.site_id, id)
    if (!video) throw notFound(resource.name)
    const isImported = await waitsForImport(tx, scope.site_id, id)
    if (isImported && (await retryImportOf(tx, scope, id))) return find(tx, resource, scope, id)
    const retried = await sourceToRetry(tx, scope.site_id, id)
    if (!retried) throw invalid('This video has no file yet. Upload one for it.')
    const { source_id, source_status, is_main } = retried
    if (source_status === 'ready') await fillGaps(tx, scope.site_id, retried)
    else await prepareAgain(tx, scope.site_id, source_id)
    const which = videoWith(scope.site_id, id)
    await writeWithStatus(tx, is_main ? ['retried'] : [], which, sql`status_reason = null`)
    return find(tx, resource, scope, id)
  })
  if (!record) throw notFound(resource.name)
  return answer(record)
}

/** Returns whether an unfinished import is newer than the newest source of the video. */
async function waitsForImport(tx: Db, site_id: string, video_id: string): Promise<boolean> {
  const found = await tx`
    select from video_imports
    where site_id = ${site_id} and video_id = ${video_id} and status <> 'ready' and created_at > coalesce(
      (select max(created_at) from sources where site_id = ${site_id} and video_id = ${video_id}), '-infinity'
    )
    limit 1
  `
  return found.length > 0
}

/** Prefers a pending source, because the other one plays. */
async function sourceToRetry(tx: Db, site_id: string, video_id: string): Promise<RetriedSource | undefined> {
  const [retried] = await tx<RetriedSource[]>`
    select sources._id as source_id, sources.status as source_status, sources._id = media_source_id as is_main,
      complete_at is not null as is_complete
    from videos join sources on sources.site_id = videos.site_id and sources.video_id = videos._id
      and sources._id in (media_source_id, pending_source_id)
    where videos.site_id = ${site_id} and videos._id = ${video_id}
    order by sources._id = pending_source_id desc nulls last limit 1
  `
  return retried
}

/** Retries windows that were given up. A video that plays may lack some. */
async function fillGaps(tx: Db, site_id: string, { source_id, is_complete }: RetriedSource): Promise<void> {
  const failed = await forgetFailures(tx, source_id)
  if (is_complete && failed === 0)
    throw invalid('There is nothing to try again: the video is ready, and all of it is made.')
  await enqueueFill(tx, { site_id, source_id })
}
