import type { Db } from '../db/database.js'
import { newId } from '../lib/object-id.js'
import type { Sealer } from '../lib/sealing.js'
import { createKey, type KeyKind, keyKinds } from './keys.js'

export interface NewChannel {
  readonly channel: { readonly _id: string; readonly title: string }
  readonly keys: Readonly<Record<KeyKind, string>>
}

/** Creates a channel with its three keys. Call it in a transaction. */
export async function createChannel(tx: Db, sealer: Sealer, title: string): Promise<NewChannel> {
  const channel = { _id: newId(), title }
  await tx`insert into channels ${tx(channel)}`
  const keys: Partial<Record<KeyKind, string>> = {}
  for (const kind of keyKinds) keys[kind] = await createKey(tx, sealer, channel._id, kind)
  return { channel, keys: keys as Record<KeyKind, string> }
}

export interface ChannelSummary {
  readonly _id: string
  readonly title: string
  readonly videos: number
  readonly created_at: Date
}

export async function listChannels(db: Db): Promise<ChannelSummary[]> {
  const rows = await db<(Omit<ChannelSummary, 'videos'> & { videos: string })[]>`
    select _id, title, created_at,
      coalesce((select sum(total) from list_days where site_id = channels._id and list = 'videos'), 0)
      + coalesce((select sum(delta) from list_changes where site_id = channels._id and list = 'videos'), 0) as videos
    from channels order by _id
  `
  return rows.map((row) => ({ ...row, videos: Number(row.videos) }))
}

/** Sets a channel's storage quota: a number of bytes, no limit, or the default of the installation. */
export async function limitStorage(db: Db, id: string, limit: number | 'none' | 'default'): Promise<boolean> {
  const stored = limit === 'none' ? -1 : limit === 'default' ? null : limit
  const { count } = await db`
    update channels set storage_limit = ${stored}, updated_at = now() where _id = ${id}
  `
  return count > 0
}

/** Deletes a channel and everything in it permanently. */
export async function removeChannel(tx: Db, id: string): Promise<boolean> {
  const { count } = await tx`delete from channels where _id = ${id}`
  for (const table of ['list_changes', 'list_minutes', 'list_days', 'list_versions'])
    await tx`delete from ${tx(table)} where site_id = ${id}`
  return count > 0
}
