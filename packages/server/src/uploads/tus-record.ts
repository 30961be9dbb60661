import type { Db } from '../db/database.js'
import { isId, newUnguessableId } from '../lib/object-id.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { sourceKey } from '../media-segments/segments.js'

/** An upload that comes in pieces. */
export interface TusUpload {
  readonly _id: string
  readonly site_id: string
  readonly source_id: string
  readonly video_id: string | null
  readonly length: number
  readonly file_name: string
  readonly metadata: string
  readonly expires_at: Date
  readonly finished_at: Date | null
}

export type NewUpload = Pick<TusUpload, 'site_id' | 'video_id' | 'length' | 'file_name' | 'metadata'>

const columns = (db: Db) =>
  db`_id, site_id, source_id, video_id, length::float8 as length, file_name, metadata, expires_at, finished_at`

export async function keepUpload(db: Db, made: NewUpload): Promise<TusUpload> {
  const [upload] = await db<[TusUpload]>`
    insert into uploads (_id, site_id, source_id, video_id, length, file_name, metadata)
    values (${newUnguessableId()}, ${made.site_id}, ${newUnguessableId()}, ${made.video_id}, ${made.length},
      ${made.file_name}, ${made.metadata})
    returning ${columns(db)}
  `
  return upload
}

export async function findUpload(db: Db, _id: string): Promise<TusUpload | undefined> {
  if (!isId(_id)) return undefined
  const [upload] = await db<TusUpload[]>`select ${columns(db)} from uploads where _id = ${_id}`
  return upload
}

/** The upload, and nobody else finishes or removes it until the transaction is over. */
export async function lockUpload(tx: Db, _id: string): Promise<TusUpload | undefined> {
  const [upload] = await tx<TusUpload[]>`select ${columns(tx)} from uploads where _id = ${_id} for update`
  return upload
}

/** Counts the time until it expires from now on. */
export async function prolong(db: Db, upload: TusUpload): Promise<TusUpload> {
  const [later] = await db<TusUpload[]>`
    update uploads set expires_at = default where _id = ${upload._id} returning ${columns(db)}
  `
  return later ?? upload
}

/** How much of it is safe. Between the last byte and the video's record it is a file like any other already. */
export async function offsetOf({ storage }: MediaParts, upload: TusUpload): Promise<number> {
  if (upload.finished_at) return upload.length
  const key = sourceKey(upload.source_id)
  const offset = await (await storage.openUpload(key)).offset()
  if (offset > 0) return offset
  return (await storage.stat(key))?.size ?? 0
}

/** Ends an upload that is not finished; false if it is. */
export async function discardUpload(db: Db, { storage }: MediaParts, upload: TusUpload): Promise<boolean> {
  const { count } = await db`delete from uploads where _id = ${upload._id} and finished_at is null`
  if (count === 0 && (await findUpload(db, upload._id))) return false
  const key = sourceKey(upload.source_id)
  await (await storage.openUpload(key)).abort()
  await storage.remove(key)
  return true
}
