import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import { enqueueFill } from '../../films/film-jobs.js'
import { lockVideo, prepareAgain } from '../../films/sources.js'
import { forgetFailures } from '../../media-segments/window-leases.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, update } from '../../resources/store.js'
import { retryImportOf } from '../video-imports/proceed.js'

/** Where a video stands that somebody wants to go on. */
interface Standing {
  readonly source_id: string
  readonly source_status: string
  /** It plays, or is to; else it waits to take the place of one that does. */
  readonly is_main: boolean
  readonly is_complete: boolean
}

/** Begins again where something failed or got stuck. What is under way already is begun at once instead of at its next turn. */
export async function retryVideo({ parts, resource, scope, id }: Call) {
  const { database, sealer, freshness } = parts
  const record = await database.transaction(async (tx) => {
    const video = await lockVideo(tx, scope.site_id, id)
    if (!video) throw notFound(resource.name)
    const isImported = await waitsForImport(tx, scope.site_id, id)
    if (isImported && (await retryImportOf(tx, sealer, scope, id)))
      return find(tx, sealer, resource, scope, id)
    const standing = await standingOf(tx, scope.site_id, id)
    if (!standing) throw invalid('This video has no film yet. Upload one for it.')
    const { source_id, source_status, is_main } = standing
    if (source_status === 'ready') await fillGaps(tx, scope.site_id, standing)
    else await prepareAgain(tx, scope.site_id, source_id)
    // What plays goes on playing.
    const status = is_main && video.status !== 'ready' ? 'processing' : video.status
    return update(tx, sealer, resource, scope, id, { status, status_reason: null })
  })
  if (!record) throw notFound(resource.name)
  freshness.touch(scope.site_id, resource.plural)
  return answer(record)
}

/** Whether an import was begun after the newest film of the video came. */
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

/** A film that waits for its turn comes first: the other one plays. */
async function standingOf(tx: Db, site_id: string, video_id: string): Promise<Standing | undefined> {
  const [standing] = await tx<Standing[]>`
    select sources._id as source_id, sources.status as source_status, sources._id = media_source_id as is_main,
      complete_at is not null as is_complete
    from videos join sources on sources.site_id = videos.site_id and sources.video_id = videos._id
      and sources._id in (media_source_id, pending_source_id)
    where videos.site_id = ${site_id} and videos._id = ${video_id}
    order by sources._id = pending_source_id desc nulls last limit 1
  `
  return standing
}

/** A video that plays may lack parts that could not be made. */
async function fillGaps(tx: Db, site_id: string, { source_id, is_complete }: Standing): Promise<void> {
  const failed = await forgetFailures(tx, source_id)
  if (is_complete && failed === 0)
    throw invalid('There is nothing to try again: the video is ready, and all of it is made.')
  await enqueueFill(tx, { site_id, source_id })
}
