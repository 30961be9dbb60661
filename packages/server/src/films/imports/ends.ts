import type { Database, Db } from '../../db/database.js'
import { sql } from '../../db/fragment.js'
import type { MediaParts } from '../../media-segments/media-parts.js'
import type { Digested } from '../../storage/storage.js'
import { claimRoom } from '../quota.js'
import { lockVideo, recordSource } from '../sources.js'
import { moveStatus, moveStatusBeforeRemoval, videoWith } from '../status.js'
import { type HeldImport, mine } from './hold.js'
import { ImportFailed, ImportRefused } from './import-error.js'
import { type Brought, fileNameOf } from './read-answer.js'

/** Stores what the server says about the file whose bytes are written from now on. */
export async function noteBeginning(
  db: Db,
  held: HeldImport,
  { total, validator, fileName }: Brought,
): Promise<void> {
  await db`
    update video_imports set total_bytes = ${total}, validator = ${validator},
      file_name = coalesce(${fileName || null}, file_name), status_reason = null, updated_at = now()
    where ${mine(db, held)}
  `
}

/** Makes the film that has arrived the source of its video. The video is always locked before its imports. */
export async function finishImport(
  database: Database,
  media: MediaParts,
  held: HeldImport,
  digested: Digested,
): Promise<void> {
  const { site_id, video_id, media_source_id } = held
  await database.transaction(async (tx) => {
    await claimRoom(tx, media, site_id, digested.size)
    await lockVideo(tx, site_id, video_id)
    const [row] = await tx<{ file_name: string | null; source_url: string }[]>`
      update video_imports set status = 'ready', status_reason = null, progress = 100, bytes = ${digested.size},
        total_bytes = ${digested.size}, finished_at = now(), updated_at = now(), held_by = null, held_until = null
      where ${mine(tx, held)} returning file_name, source_url
    `
    if (!row) return
    const file_name = row.file_name ?? fileNameOf(row.source_url)
    await recordSource(tx, { ...digested, _id: media_source_id, site_id, file_name }, video_id)
  })
  await media.lease.noteArrival()
}

/** When an import is tried again, and why. */
export interface NextAttempt {
  readonly waitSeconds: number
  readonly failures: number
  readonly reason: string | null
  /** Its pause is not counted as time that it took. */
  readonly isOutage?: boolean
}

/** Gives the import back to be tried again; false if it has ended. */
export async function beginAgain(
  tx: Db,
  held: HeldImport,
  { waitSeconds, failures, reason, isOutage = false }: NextAttempt,
): Promise<boolean> {
  const { count } = await tx`
    update video_imports set failures = ${failures}, status_reason = coalesce(${reason}, status_reason),
      held_by = null, held_until = now() + make_interval(secs => ${waitSeconds}), updated_at = now(),
      started_at = started_at + make_interval(secs => ${isOutage ? waitSeconds : 0})
    where ${mine(tx, held)}
  `
  return count > 0
}

/** Marks the import as failed, with the reason, and its video too if that waited for it. */
export async function failImport(database: Database, held: HeldImport, error: Error): Promise<void> {
  const { site_id, video_id } = held
  await database.transaction(async (tx) => {
    await lockVideo(tx, site_id, video_id)
    const { count } = await tx`
      update video_imports set status = 'failed', status_reason = ${error.message.slice(0, 2000)}, finished_at = now(),
        updated_at = now(), held_by = null, held_until = null
      where ${mine(tx, held)}
    `
    if (count === 0) return
    const reason = sql`status_reason = ${reasonForViewers(error)}`
    await moveStatus(tx, 'import_failed', videoWith(site_id, video_id), reason)
  })
}

/** Cancels the import if its video was deleted; false if it was not. A video restored later has the film it had before. */
export async function endUnwanted(database: Database, held: HeldImport): Promise<boolean> {
  const { site_id, video_id } = held
  return database.transaction(async (tx) => {
    await tx`select from videos where site_id = ${site_id} and _id = ${video_id} for update`
    const { count } = await tx`
      update video_imports set status = 'cancelled', status_reason = 'Its video was removed.', finished_at = now(),
        updated_at = now(), held_by = null, held_until = null
      where ${mine(tx, held)} and not exists (
        select from videos where site_id = ${site_id} and _id = ${video_id} and deleted_at is null
      )
    `
    if (count === 0) return false
    const video = videoWith(site_id, video_id)
    await moveStatusBeforeRemoval(tx, 'import_cancelled', sql`${video} and media_source_id is null`)
    await moveStatusBeforeRemoval(tx, 'replacement_cancelled', sql`${video} and media_source_id is not null`)
    return true
  })
}

/** Errors of the network may name the server, which viewers must not learn. */
const reasonForViewers = (error: Error): string =>
  error instanceof ImportRefused || error instanceof ImportFailed
    ? error.message
    : 'The file could not be fetched from its address. Its import says why.'
