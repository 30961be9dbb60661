import { type Fragment, sql } from '../../db/fragment.js'
import { isId } from '../../lib/object-id.js'
import type { Answer, Call } from '../../resources/feature.js'
import type { Values } from '../../resources/store.js'
import { both, listAllowed, playlistsAllowed } from '../content-rules/allowed-here.js'
import { deriving } from '../derived.js'
import { namesIn, withZobjectDetails } from '../zobjects/details.js'
import { orderOf, type Playlist } from './order.js'
import { filling } from './rules.js'

type Having = (site_id: string, ids: readonly string[]) => Fragment

const attached: Having = (site_id, ids) => sql`
  select playlist_id from zobject_playlists where site_id = ${site_id} and zobject_id = any(${ids}::text[])
`
const attachedToAny: Having = (site_id, ids) => sql`_id in (${attached(site_id, ids)})`

/** Filters on other tables: the videos of a playlist, and the zobjects attached to it. */
const filters: Readonly<Record<string, Having>> = {
  video_id: (site_id, ids) => sql`_id in (
    select playlists_with(site_id, _id, categories) from videos
    where site_id = ${site_id} and _id = any(${ids}::text[])
  )`,
  zobject_id: attachedToAny,
  zobject_id_or: attachedToAny,
  zobject_id_and: (site_id, ids) => sql`_id in (
    ${attached(site_id, ids)} group by playlist_id having count(*) = ${ids.length}
  )`,
  'zobject_id!': (site_id, ids) => sql`_id not in (${attached(site_id, ids)})`,
}

/** Lists playlists, limited to those that match `among` if given. */
export function listPlaylists(call: Call, among?: Fragment): Promise<Answer> {
  const { site_id } = call.scope
  const conditions = Object.entries(filters).map(([name, having]) => {
    // A malformed id matches nothing.
    const ids = namesIn(call.query[name], name).map((id) => (isId(id) ? id : ''))
    return ids.length === 0 ? undefined : having(site_id, ids)
  })
  const others = Object.entries(call.query).filter(([name]) => !Object.hasOwn(filters, name))
  const query = Object.fromEntries(others)
  return listAllowed(playlistsAllowed, conditions.reduce(both, among))({ ...call, query })
}

/** Adds the zobjects attached to playlists, in the order in which they were attached. */
export const withAttachedZobjects = withZobjectDetails(
  'playlist_zobjects',
  async ({ parts, scope }, shown) => {
    const ids = shown.map(({ _id }) => _id)
    const rows = await parts.database.db<{ playlist_id: string; ids: readonly string[] }[]>`
    select playlist_id, array_agg(zobject_id order by place) as ids from zobject_playlists
    where site_id = ${scope.site_id} and playlist_id = any(${ids}::text[]) group by playlist_id
  `
    return new Map(rows.map((row) => [row.playlist_id, row.ids]))
  },
)

const mostCounted = 10_000
const mostNamed = 100

/** Adds the current number of videos, and the first of them, to playlists that are filled by rules. */
export const withVideos = deriving(async (playlists, call) => {
  const isFilled = ({ playlist_type }: Values) => playlist_type === 'category'
  const filled = isAsked(call) && playlists.some(isFilled) ? await filledAmong(call, playlists) : []
  const values: Values[] = []
  for (const playlist of playlists) {
    const known = filled.find(({ _id }) => _id === playlist._id)
    values.push(known ? await videosOf(call, known) : isFilled(playlist) ? empty : {})
  }
  return values
})

/** Whether the answer shows any of these fields. */
const isAsked = ({ query: { response_fields } }: Call) =>
  !response_fields || Object.keys(empty).some((name) => String(response_fields).includes(name))

const empty = { playlist_item_count: 0, related_video_ids: [] }

/** Returns those of the playlists that are filled by rules. */
function filledAmong({ parts, scope }: Call, playlists: readonly Values[]): Promise<readonly Playlist[]> {
  const ids = playlists.map(({ _id }) => String(_id))
  return parts.database.db<Playlist[]>`
    select _id, playlist_type, filled_by::text as filled_by, sort_options from playlists
    where site_id = ${scope.site_id} and _id = any(${ids}::text[]) and filled_by is not null
  `
}

/** Few matches are collected, then sorted. If there are many, a scan in order finds the first ones soon. */
async function videosOf({ parts, scope }: Call, playlist: Playlist) {
  const { searching } = parts.database
  const videos = sql`
    videos where site_id = ${scope.site_id} and deleted_at is null and active and ${filling(playlist.filled_by)}
  `
  const first = sql`order by ${orderOf(playlist)} limit ${mostNamed}`
  const [few] = await searching<{ found: string; ids: string[] }[]>`
    with found as materialized (select _id, created_at, published_at, title from ${videos} limit ${mostCounted + 1})
    select (select count(*) from found) as found, array(select _id from found ${first}) as ids
  `
  const found = Number(few?.found ?? 0)
  if (found <= mostCounted) return { playlist_item_count: found, related_video_ids: few?.ids ?? [] }
  const many = await searching<{ _id: string }[]>`select _id from ${videos} ${first}`
  return { playlist_item_count: mostCounted, related_video_ids: many.map(({ _id }) => _id) }
}
