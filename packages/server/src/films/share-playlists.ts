import type { Db } from '../db/database.js'

/**
 * Keeps the rules of the channel's playlists as they are until the transaction ends. Everybody who writes categories of
 * videos takes this lock, before any lock on a category or a video; docs/decisions/0030 says why.
 */
export async function sharePlaylists(tx: Db, { site_id }: { readonly site_id: string }): Promise<void> {
  await tx`select share_playlists(${site_id})`
}
