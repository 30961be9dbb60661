import { catalog, type Resource, sortFields } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import { allOf, type Fragment, raw, sql } from '../../db/fragment.js'
import { notFound } from '../../errors.js'
import { readShown } from '../../lists/shown.js'
import { sortExpression } from '../../resources/columns.js'
import type { Call } from '../../resources/feature.js'
import { filterConditions } from '../../resources/filters.js'
import { hiddenIn, listed } from '../../resources/list.js'
import { searchConditions } from '../../resources/search.js'
import { withinScope } from '../../resources/store.js'
import { videosAllowed } from '../content-rules/allowed-here.js'
import { filling } from './rules.js'

const { playlists, videos } = catalog

export interface Playlist {
  readonly _id: string
  readonly playlist_type: string
  /** The jsonpath that selects its videos, if it is filled by rules. */
  readonly filled_by: string | null
  readonly sort_options: readonly { readonly sort_by: string; readonly direction?: string | null }[]
}

/** Returns the playlist of a call. Throws 404 if the caller may not see it. */
export async function findPlaylist({ parts, principal, scope, id }: Call): Promise<Playlist> {
  const seen = withinScope(playlists, scope, seesHidden(principal, playlists))
  const [playlist] = await parts.database.db<Playlist[]>`
    select _id, playlist_type, filled_by::text as filled_by, sort_options
    from ${raw(playlists.plural)} where ${seen} and _id = ${id}
  `
  if (!playlist) throw notFound(playlists.name)
  return playlist
}

export const isManual = ({ playlist_type }: Playlist): boolean => playlist_type === 'manual'

/** The condition for videos that are in the playlist. */
export function membership({ scope }: Call, playlist: Playlist): Fragment {
  if (!isManual(playlist)) return filling(playlist.filled_by)
  return sql`_id in (
    select video_id from playlist_videos where site_id = ${scope.site_id} and playlist_id = ${playlist._id}
  )`
}

/** Which videos a caller requested, apart from their order. */
export interface VideoSelection {
  readonly where: Fragment
  /** All active videos of a manual playlist, without filters. */
  readonly isDefault: boolean
}

/** Reads the selection of videos of a playlist from the query. */
export async function wanted(call: Call, playlist: Playlist): Promise<VideoSelection> {
  const { principal, scope, query } = call
  const allowed = await videosAllowed(call)
  const shown = readShown(videos, query, seesHidden(principal, videos))
  const conditions = [...filterConditions(videos, query), ...searchConditions(videos, query.q, scope.site_id)]
  if (allowed) conditions.push(allowed)
  const where = allOf([listed(videos, { site_id: scope.site_id }, shown), ...conditions])
  const isPlain = isManual(playlist) && conditions.length === 0
  const isActive = shown === true || shown === 'seen'
  const isDefault = isPlain && isActive && !(shown === 'seen' && (await hasHidden(call, playlist)))
  return { where, isDefault }
}

/** Whether active videos of the playlist are hidden from viewers. */
async function hasHidden({ parts, scope: { site_id } }: Call, playlist: Playlist): Promise<boolean> {
  const [row] = await parts.database.db`
    select from (select _id from videos where ${hiddenIn(videos, { site_id }, 'seen') ?? sql`false`}) as hidden
    join playlist_videos as member on video_id = hidden._id
    where member.site_id = ${site_id} and playlist_id = ${playlist._id} limit 1
  `
  return row !== undefined
}

/** Selects the requested videos, each as `found` with its `place` in the playlist. */
export function placed(call: Call, playlist: Playlist, { where, isDefault }: VideoSelection): Fragment {
  const members = sql`from playlist_videos where site_id = ${call.scope.site_id} and playlist_id = ${playlist._id}`
  if (!isManual(playlist)) return ranked(call, playlist, where, orderOf(playlist))
  if (isDefault) return sql`select video_id as found, position as place ${members} and shown`
  return sql`
    select _id as found, place from (select video_id as member, position as place ${members}) as members
    join videos on _id = member where ${where}
  `
}

/** The same in another order, with row numbers as places. */
export function ranked(call: Call, playlist: Playlist, where: Fragment, order: Fragment): Fragment {
  return sql`
    select _id as found, row_number() over (order by ${order}) as place
    from videos where ${where} and ${membership(call, playlist)}
  `
}

/** Orders by the playlist's sort options, or newest first if it has none. */
export function orderOf({ sort_options }: Playlist): Fragment {
  if (sort_options.length === 0) return sql`created_at desc, _id desc`
  const keys = sort_options.map(({ sort_by, direction }) =>
    byField(sort_by, direction === 'desc' ? 'desc' : 'asc'),
  )
  return [...keys, sql`_id`].reduce((left, right) => sql`${left}, ${right}`)
}

export function byField(sort: string, order: 'asc' | 'desc'): Fragment {
  if (!sortFields(videos).includes(sort)) throw new Error(`Videos are not sorted by ${sort}`)
  return sql`${raw(sortExpression(videos as Resource, sort))} ${raw(order)}`
}
