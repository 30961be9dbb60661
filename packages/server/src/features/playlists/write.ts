import type { Db } from '../../db/database.js'
import { couldNotSave, notFound } from '../../errors.js'
import { endEntitlementsTo } from '../../jobs/end-entitlements.job.js'
import { relateBelow } from '../../jobs/relate-videos.job.js'
import { newId } from '../../lib/object-id.js'
import type { Call, Parts } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { insertNamed, remove, type Scope, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { type ImageFields, imageColumns, splitImages } from '../images.js'
import { lockTree, placeFor, type TreePosition } from './place.js'
import { withRules } from './rules.js'

/** The fields that decide which videos a playlist contains. */
const ruling = ['playlist_type', 'match_type', 'categories'] as const

type KnownPlaylist = TreePosition & { readonly playlist_type: string; readonly is_filled: boolean }

/** Creates a playlist with a unique friendly title and a position in the tree. */
export async function createPlaylist({ parts, resource, scope, body: sent }: CallOf<'playlists', 'create'>) {
  const { fields: given, pictures } = splitImages(sent)
  const _id = newId()
  const record = await parts.database.transaction(async (tx) => {
    await lockTree(tx, scope)
    const body = await withRules(tx, scope, given)
    const place = await placeFor(tx, scope, _id, undefined, body)
    const made = await insertNamed(tx, resource, scope, { ...body, ...place, _id })
    if (body.playlist_type === 'category') await relateBelow(tx, scope.site_id, _id)
    if (!pictures) return made
    return update(tx, resource, scope, _id, await columns(tx, parts, scope, _id, pictures))
  })
  return answer(record ?? '')
}

/** Updates a playlist, which may move in the tree. Videos whose playlists change as a result are updated too. */
export async function updatePlaylist(call: CallOf<'playlists', 'update'>) {
  const { parts, resource, scope, id, body: sent } = call
  const { fields: given, pictures } = splitImages(sent)
  const record = await parts.database.transaction(async (tx) => {
    await lockTree(tx, scope)
    const old = await find(tx, scope, id)
    if (!old) throw notFound(resource.name)
    checkType(old, given)
    const body = await withRules(tx, scope, given)
    const place = await placeFor(tx, scope, id, old, body)
    const shown = pictures ? await columns(tx, parts, scope, id, pictures) : {}
    const changed = await update(tx, resource, scope, id, { ...body, ...place, ...shown })
    if (place.parent_id !== old.parent_id || ruling.some((name) => Object.hasOwn(body, name)))
      await relateBelow(tx, scope.site_id, id)
    return changed
  })
  return answer(record ?? '{}')
}

/** Deletes a playlist. Its children move to its parent, after the existing ones. Its videos are not deleted. */
export async function removePlaylist({ parts, resource, scope, id }: Call) {
  const { site_id } = scope
  await parts.database.transaction(async (tx) => {
    await lockTree(tx, scope)
    const old = await find(tx, scope, id)
    if (!old) throw notFound(resource.name)
    await tx`
      update playlists set parent_id = ${old.parent_id}, priority = placed.priority, updated_at = now()
      from (
        select _id as child, row_number() over (order by priority, _id) + coalesce((
          select max(priority) from playlists
          where site_id = ${site_id} and parent_id is not distinct from ${old.parent_id} and _id <> ${id}
        ), -1) as priority
        from playlists where site_id = ${site_id} and parent_id = ${id}
      ) as placed
      where site_id = ${site_id} and _id = placed.child
    `
    await remove(tx, resource, scope, id)
    await endEntitlementsTo(tx, site_id, id)
    await relateBelow(tx, site_id, id)
  })
  return undefined
}

const columns = (tx: Db, parts: Parts, { site_id }: Scope, owner_id: string, pictures: ImageFields) =>
  imageColumns(tx, parts, 'playlists', { site_id, owner_id }, pictures)

async function find(tx: Db, { site_id }: Scope, id: string): Promise<KnownPlaylist | undefined> {
  const [row] = await tx<KnownPlaylist[]>`
    select parent_id, priority, playlist_type, exists (
      select from playlist_videos where site_id = ${site_id} and playlist_id = ${id}
    ) as is_filled
    from playlists where site_id = ${site_id} and _id = ${id}
  `
  return row
}

function checkType(
  { playlist_type, is_filled }: KnownPlaylist,
  body: CallOf<'playlists', 'update'>['body'],
): void {
  if (!is_filled || (body.playlist_type ?? playlist_type) === playlist_type) return
  const why = 'stays manual while videos are in it; take them out first'
  throw couldNotSave('playlist', 'playlist_type', why)
}
