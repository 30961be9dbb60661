import { type BodyOf, type catalog, playlistDepth } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { couldNotSave, notFound } from '../../errors.js'
import type { Scope } from '../../resources/store.js'

/** The position of a playlist in the tree. */
export interface TreePosition {
  readonly parent_id: string | null
  readonly priority: number
}

/** Locks the tree and the rules of a channel against other changes to them and to the content of playlists. */
export async function lockTree(tx: Db, { site_id }: Scope): Promise<void> {
  await tx`select hold_playlists(${site_id})`
}

/** Returns the position of a new or existing (`old`) playlist, and shifts its new siblings if necessary. */
export async function placeFor(
  tx: Db,
  scope: Scope,
  id: string,
  old: TreePosition | undefined,
  body: BodyOf<typeof catalog.playlists>,
): Promise<TreePosition> {
  const parent_id = body.parent_id === undefined ? (old?.parent_id ?? null) : body.parent_id
  const isMoved = !old || old.parent_id !== parent_id
  if (isMoved && parent_id) await checkParent(tx, scope, id, parent_id)
  const asked = body.priority
  if (!isMoved && (asked === undefined || asked === old.priority))
    return { parent_id, priority: old.priority }
  return { parent_id, priority: await placeAmong(tx, scope, id, parent_id, asked) }
}

async function checkParent(tx: Db, { site_id }: Scope, id: string, parent_id: string): Promise<void> {
  const [row] = await tx<{ line: string[]; height: number }[]>`
    with recursive below as (
      select ${id}::text collate "C" as _id, 1 as height
      union all
      select playlists._id, height + 1 from below
      join playlists on playlists.site_id = ${site_id} and playlists.parent_id = below._id where height < 100
    )
    select playlist_line(${site_id}, ${parent_id}) as line, (select max(height) from below) as height
  `
  const { line, height } = row ?? { line: [], height: 1 }
  if (line.length === 0) throw notFound('playlist')
  if (line.includes(id)) throw couldNotSave('playlist', 'parent_id', 'would put the playlist inside itself')
  if (line.length + height > playlistDepth)
    throw couldNotSave('playlist', 'parent_id', `would nest playlists more than ${playlistDepth} deep`)
}

/** Returns the requested priority, or the next one if it is taken. The default is the last. */
async function placeAmong(
  tx: Db,
  { site_id }: Scope,
  id: string,
  parent_id: string | null,
  asked: number | undefined,
): Promise<number> {
  const siblings = tx`site_id = ${site_id} and parent_id is not distinct from ${parent_id} and _id <> ${id}`
  const [row] = await tx<{ last: number | null; is_taken: boolean }[]>`
    select max(priority) as last, coalesce(bool_or(priority = ${asked ?? -1}), false) as is_taken
    from playlists where ${siblings}
  `
  if (asked === undefined) return row?.last == null ? 0 : row.last + 1
  if (!row?.is_taken) return asked
  await tx`update playlists set priority = priority + 1 where ${siblings} and priority > ${asked}`
  return asked + 1
}
