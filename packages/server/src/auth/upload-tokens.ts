import type { Db } from '../db/database.js'
import { newSecret } from './keys.js'

export const newUploadToken = () => newSecret('zt_upload')

/** What an upload token allows. */
export interface UploadGrant {
  readonly _id: string
  readonly site_id: string
  readonly video_id: string | null
  readonly max_bytes: number | null
  readonly active: boolean
  /** The fields of a new video that its holder may set. */
  readonly allowed_fields: readonly string[]
}

/**
 * Counts an upload that begins with a token. Returns undefined if the token expired, was deleted, or has no
 * uploads left.
 */
export async function spendUploadToken(
  db: Db,
  site_id: string,
  _id: string,
): Promise<UploadGrant | undefined> {
  const [grant] = await db<UploadGrant[]>`
    update upload_tokens set begun = begun + 1, updated_at = now()
    where site_id = ${site_id} and _id = ${_id} and expires_at > now() and begun < uploads
    returning _id, site_id, video_id, max_bytes::float8 as max_bytes, active, allowed_fields
  `
  return grant
}

/** Refunds a failed upload, which may be tried again. */
export async function refundUploadToken(db: Db, { site_id, _id }: UploadGrant): Promise<void> {
  await db`
    update upload_tokens set begun = begun - 1, updated_at = now()
    where site_id = ${site_id} and _id = ${_id} and begun > 0
  `
}
