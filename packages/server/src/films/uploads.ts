import type { Database, Db } from '../db/database.js'
import { sql } from '../db/fragment.js'
import { notFound } from '../errors.js'
import { untitled } from '../lib/file-name.js'
import { isId, newUnguessableId } from '../lib/object-id.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Parts } from '../resources/feature.js'
import type { StorageParts } from '../storage/storage.js'
import { holdRoom, roomFor } from './quota.js'
import { moveStatus, videoWith } from './status.js'

/** A resumable upload. */
export interface TusUpload {
  readonly _id: string
  readonly site_id: string
  readonly source_id: string
  readonly video_id: string | null
  readonly length: number
  readonly file_name: string
  readonly metadata: string
  readonly hidden: boolean
  /** The author, for the versions of its video. */
  readonly created_by: string | null
  readonly expires_at: Date
  readonly finished_at: Date | null
}

type NewUpload = Pick<
  TusUpload,
  'site_id' | 'video_id' | 'length' | 'file_name' | 'metadata' | 'hidden' | 'created_by'
>

const columns = (db: Db) =>
  db`_id, site_id, source_id, video_id, length::float8 as length, file_name, metadata, hidden, created_by, expires_at,
    finished_at`

/** Begins an upload and reserves its room. A video without a film becomes `uploading`. */
export function beginUpload(database: Database, keeping: StorageParts, made: NewUpload): Promise<TusUpload> {
  const { site_id, video_id, length, file_name, metadata, hidden, created_by } = made
  return database.transaction(async (tx) => {
    await holdRoom(tx, site_id)
    await roomFor(tx, keeping, site_id, length)
    if (video_id !== null && !(await isVideo(tx, site_id, video_id))) throw notFound('video')
    await moveStatus(tx, 'upload_begun', videoWith(site_id, video_id))
    const [upload] = await tx<[TusUpload]>`
      insert into uploads (_id, site_id, source_id, video_id, length, file_name, metadata, hidden, created_by)
      values (${newUnguessableId()}, ${site_id}, ${newUnguessableId()}, ${video_id}, ${length}, coalesce(
        nullif(${file_name}, ''),
        (select left(title, 255) from videos where site_id = ${site_id} and _id = ${video_id}),
        ${untitled}
      ), ${metadata}, ${hidden}, ${created_by})
      returning ${columns(tx)}
    `
    return upload
  })
}

/** Whether the channel has this video, and it is not deleted. */
export const isVideo = async (db: Db, site_id: string, _id: string): Promise<boolean> =>
  isId(_id) &&
  (await db`select from videos where site_id = ${site_id} and _id = ${_id} and deleted_at is null`).length > 0

export async function findUpload(db: Db, _id: string): Promise<TusUpload | undefined> {
  if (!isId(_id)) return undefined
  const [upload] = await db<TusUpload[]>`select ${columns(db)} from uploads where _id = ${_id}`
  return upload
}

/** Locks the upload: no other transaction can finish or remove it until this one ends. */
export async function lockUpload(tx: Db, _id: string): Promise<TusUpload | undefined> {
  const [upload] = await tx<TusUpload[]>`select ${columns(tx)} from uploads where _id = ${_id} for update`
  return upload
}

/** Stores how many bytes have arrived, and starts the time until it expires again. */
export async function noteArrival(db: Db, upload: TusUpload, offset: number): Promise<TusUpload> {
  const [later] = await db<TusUpload[]>`
    update uploads set expires_at = default, updated_at = now(), "offset" = ${offset}
    where _id = ${upload._id} returning ${columns(db)}
  `
  return later ?? upload
}

/** How many bytes are safe in the storage. Once all have arrived, the file may be stored before its video's record is. */
export async function offsetOf(
  { storage }: Pick<StorageParts, 'storage'>,
  upload: TusUpload,
): Promise<number> {
  if (upload.finished_at) return upload.length
  const key = sourceKey(upload.source_id)
  const offset = await (await storage.openUpload(key)).offset()
  if (offset > 0) return offset
  return (await storage.stat(key))?.size ?? 0
}

/**
 * Ends an unfinished upload and removes its bytes, at once or later; false if it is finished. While another installation may be
 * using the films, the bytes stay: there, the upload may have become a film.
 */
export async function discardUpload(
  { db, transaction }: Database,
  { storage, lease }: Pick<StorageParts, 'storage' | 'lease'>,
  upload: Pick<TusUpload, '_id' | 'site_id' | 'source_id' | 'video_id'>,
  later?: Parts['afterCommit'],
): Promise<boolean> {
  const count = await transaction(async (tx) => {
    const removed = await tx`delete from uploads where _id = ${upload._id} and finished_at is null`
    if (removed.count > 0) await noteGivenUp(tx, [upload])
    return removed.count
  })
  if (count === 0 && (await findUpload(db, upload._id))) return false
  const removeBytes = async () => {
    if (!lease.isHeld()) return
    const key = sourceKey(upload.source_id)
    await (await storage.openUpload(key)).abort()
    await storage.remove(key)
  }
  if (later) later(removeBytes)
  else await removeBytes()
  return true
}

/** Moves the videos of ended uploads back to `created`, unless another upload or an import is under way for them. */
export async function noteGivenUp(
  tx: Db,
  ended: readonly Pick<TusUpload, 'site_id' | 'video_id'>[],
): Promise<void> {
  for (const { site_id, video_id } of ended.filter((each) => each.video_id !== null))
    await moveStatus(
      tx,
      'upload_ended',
      sql`
        ${videoWith(site_id, video_id)} and not exists (
          select from uploads where site_id = ${site_id} and video_id = ${video_id} and finished_at is null
        ) and not exists (
          select from video_imports where site_id = ${site_id} and video_id = ${video_id}
            and status in ('created', 'downloading')
        )
      `,
    )
}
