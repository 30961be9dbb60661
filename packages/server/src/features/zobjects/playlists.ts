import { catalog, limits } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import type { Db } from '../../db/database.js'
import { sql } from '../../db/fragment.js'
import { invalid, notFound } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { isSeen } from '../../resources/store.js'
import { listPlaylists } from '../playlists/records.js'
import { withinType } from './type.js'
import { change, idsIn } from './videos.js'

export async function addPlaylistsToZobject(call: Call): Promise<Answer> {
  const { type, within } = await withinType(call)
  if (!type.playlists_enabled)
    throw invalid(`Zobjects of the type ${type.title} are not for playlists: its playlists_enabled is false.`)
  const { scope, id, body } = call
  return change(within, (tx) => attach(tx, scope.site_id, id, idsIn(body.playlist_id)))
}

export async function removePlaylistsFromZobject(call: Call): Promise<Answer> {
  const { within } = await withinType(call)
  const { scope, id, body } = call
  return change(within, (tx) => detach(tx, scope.site_id, id, idsIn(body.playlist_id)))
}

/** Lists the playlists that a zobject is attached to. */
export async function listPlaylistsOfZobject(call: Call): Promise<Answer> {
  const { parts, principal, resource, id } = call
  const { within } = await withinType(call)
  if (!(await isSeen(parts.database.db, resource, within.scope, id, seesHidden(principal, resource))))
    throw notFound(resource.name)
  const { site_id } = call.scope
  const attached = sql`_id in (
    select playlist_id from zobject_playlists where site_id = ${site_id} and zobject_id = ${id}
  )`
  return listPlaylists({ ...call, resource: catalog.playlists, scope: { site_id } }, attached)
}

/**
 * Locks the playlists and the zobject. Throws 404 if a playlist is missing. To avoid deadlocks, playlists are locked
 * first, as in the deletion of a playlist.
 */
async function hold(tx: Db, site_id: string, zobject_id: string, playlists: readonly string[]) {
  const found = await tx`
    select from playlists where site_id = ${site_id} and _id = any(${playlists}) order by _id for key share
  `
  if (found.length < new Set(playlists).size) throw notFound(catalog.playlists.name)
  await tx`select from zobjects where site_id = ${site_id} and _id = ${zobject_id} for no key update`
}

async function attach(tx: Db, site_id: string, zobject_id: string, playlists: readonly string[]) {
  await hold(tx, site_id, zobject_id, playlists)
  await tx`
    insert into zobject_playlists (site_id, zobject_id, playlist_id)
    select ${site_id}, ${zobject_id}, given.id
    from unnest(${playlists}::text[]) with ordinality as given (id, place) order by given.place
    on conflict do nothing
  `
  const most = limits.zobject_playlists.value
  const [row] = await tx<{ playlists: number }[]>`
    select count(*)::int as playlists from zobject_playlists where site_id = ${site_id} and zobject_id = ${zobject_id}
  `
  if ((row?.playlists ?? 0) > most) throw invalid(`A zobject is attached to at most ${most} playlists.`)
}

async function detach(tx: Db, site_id: string, zobject_id: string, playlists: readonly string[]) {
  await hold(tx, site_id, zobject_id, playlists)
  await tx`
    delete from zobject_playlists
    where site_id = ${site_id} and zobject_id = ${zobject_id} and playlist_id = any(${playlists})
  `
}
