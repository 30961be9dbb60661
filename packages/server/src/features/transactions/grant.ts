import type { Db } from '../../db/database.js'
import { newId } from '../../lib/object-id.js'

/** The row of a transaction. */
export interface Bought {
  readonly _id: string
  readonly site_id: string
  readonly consumer_id: string
}

/** Inserts the entitlement for a purchase, in the caller's transaction. A pass needs none. */
export async function grant(tx: Db, { _id, site_id, consumer_id }: Bought): Promise<void> {
  await tx`
    insert into video_entitlements (_id, site_id, consumer_id, video_id, transaction_id, transaction_type, expires_at)
    select ${newId()}, site_id, consumer_id, video_id, _id, transaction_type, expires_at from transactions
    where site_id = ${site_id} and consumer_id = ${consumer_id} and _id = ${_id} and video_id is not null
  `
  await tx`
    insert into playlist_entitlements (_id, site_id, consumer_id, playlist_id, transaction_id, transaction_type, expires_at)
    select ${newId()}, site_id, consumer_id, playlist_id, _id, transaction_type, expires_at from transactions
    where site_id = ${site_id} and consumer_id = ${consumer_id} and _id = ${_id} and playlist_id is not null
  `
}

/** Deletes the entitlements of a transaction. */
export async function revoke(tx: Db, { _id, site_id, consumer_id }: Bought): Promise<void> {
  await tx`
    delete from video_entitlements
    where site_id = ${site_id} and consumer_id = ${consumer_id} and transaction_id = ${_id}
  `
  await tx`
    delete from playlist_entitlements
    where site_id = ${site_id} and consumer_id = ${consumer_id} and transaction_id = ${_id}
  `
}
