import { catalog, type Resource } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { type Fragment, sql } from '../../db/fragment.js'
import type { Answer, Call } from '../../resources/feature.js'
import { withoutUnknownSort } from '../../resources/order.js'
import { separator } from '../../resources/pages.js'
import { type PageRequest, pagination, readPageRequest } from '../../resources/pagination.js'
import { project } from '../../resources/projection.js'
import { listAllowed, videosAllowed } from '../content-rules/allowed-here.js'
import { withReadOptions } from '../videos/read.js'
import { findPlaylist, isManual, membership, type Playlist, placed, wanted } from './order.js'
import { signpostCache, wayInto } from './signposts.js'

const { videos } = catalog

/** Videos sorted by their place in a playlist, a field that records do not show. */
const inOrder: Resource = {
  ...videos,
  order: { sort: 'place', order: 'asc' },
  fields: { ...videos.fields, place: { kind: 'integer', about: '', min: 0, max: 0, sort: true } },
}

/** Lists the videos of a playlist. If sorted by a single field, they are listed like any other resource. */
export const listPlaylistVideos = withReadOptions(async (call: Call): Promise<Answer> => {
  const playlist = await findPlaylist(call)
  const ofVideos = { ...call, resource: videos, scope: { site_id: call.scope.site_id } }
  const query = withoutUnknownSort(videos, { ...call, query: withoutEmpty(call.query) })
  const sorted = { ...ofVideos, query: 'sort' in query ? query : { ...sortOf(playlist), ...query } }
  if ('sort' in sorted.query) {
    const { json } = await listAllowed(videosAllowed, membership(call, playlist))(sorted)
    return { json }
  }
  return listInOrder({ ...ofVideos, query }, playlist)
})

/** Returns the sort of a playlist with at most one sort option. Without any, the newest come first. */
function sortOf(playlist: Playlist): Call['query'] {
  const [option, second] = playlist.sort_options
  if (isManual(playlist) || second) return {}
  return option
    ? { sort: option.sort_by, order: option.direction ?? 'asc' }
    : { sort: videos.order.sort, order: videos.order.order }
}

const withoutEmpty = (query: Call['query']): Call['query'] =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

async function listInOrder(call: Call, playlist: Playlist): Promise<Answer> {
  const asked = await wanted(call, playlist)
  const request = readPageRequest(inOrder, call)
  const found = placed(call, playlist, asked)
  const { database } = call.parts
  const page = asked.isDefault
    ? await database.snapshot((tx) => readQuick(tx, call, playlist, request, found))
    : await readPlaces(database.searching, call, request, found, walkOf(request))
  return answerWith(call, request, page)
}

interface PlaylistPage {
  readonly total: number
  readonly records: readonly string[]
  readonly last: { readonly place: string; readonly id: string } | undefined
}

/** Reads all active videos with the playlist's own count, by an index scan from the nearest start point. */
async function readQuick(
  tx: Db,
  call: Call,
  { _id }: Playlist,
  request: PageRequest,
  found: Fragment,
): Promise<PlaylistPage> {
  const { site_id } = call.scope
  // Every change to the content of a playlist updates its count, and so creates a new version of its row.
  const [row] = await tx<{ total: number; version: string }[]>`
    select playlist_item_count as total, xmin::text || ctid::text as version from playlists
    where site_id = ${site_id} and _id = ${_id}
  `
  const { total, version } = row ?? { total: 0, version: '' }
  const count = sql`${total}::bigint`
  if (request.cursor) return readPlaces(tx, call, request, found, { ...walkOf(request), total: count })
  const offset = request.page * request.perPage
  const limit = Math.max(Math.min(request.perPage + 1, total - offset), 0)
  const from = request.order === 'desc' ? Math.max(total - offset - limit, 0) : offset
  const seen = { site_id, _id, version, total }
  const { after, isFromEnd, skip } = await wayInto(tx, call.parts.cache(signpostCache), seen, from, limit)
  const beyond = after === undefined ? sql`` : sql`where place > ${after}::text::bigint`
  return readPlaces(tx, call, request, found, { beyond, isDown: isFromEnd, skip, limit, total: count })
}

/** How to scan the places, and the total number of videos. */
interface Walk {
  readonly beyond: Fragment
  readonly isDown: boolean
  readonly skip: number
  readonly limit: number
  readonly total: Fragment
}

/** Scans from the beginning or from a cursor, and counts all videos. */
function walkOf({ cursor, order, page, perPage }: PageRequest): Walk {
  const isDown = order === 'desc'
  const beyond = cursor ? sql`where place ${isDown ? sql`<` : sql`>`} ${cursor.value}::text::bigint` : sql``
  const total = sql`(select count(*) from placed)`
  return { beyond, isDown, skip: cursor ? 0 : page * perPage, limit: perPage + 1, total }
}

interface PlaylistPageRow {
  readonly total: string
  readonly places: readonly string[] | null
  readonly ids: readonly string[] | null
  readonly records: string | null
}

/** Reads a page of videos, ordered by place. */
async function readPlaces(
  db: Db,
  { scope }: Call,
  { cursor, order, perPage }: PageRequest,
  found: Fragment,
  { beyond, isDown, skip, limit, total }: Walk,
): Promise<PlaylistPage> {
  const forward = order === 'desc' ? sql`desc` : sql`asc`
  const [row] = await db<PlaylistPageRow[]>`
    with placed as not materialized (${found}), page as (
      select found, place from placed ${beyond}
      order by place ${isDown ? sql`desc` : sql`asc`} offset ${skip} limit ${limit}
    )
    select ${total} as total,
      array_agg(place::text order by place ${forward}) as places, array_agg(found order by place ${forward}) as ids,
      string_agg(record, ${separator} order by place ${forward}) as records
    from page cross join lateral (
      select record from videos where site_id = ${scope.site_id} and _id = found limit 1
    ) as video
  `
  return pageOf(row, perPage, cursor?.total)
}

function pageOf(
  row: PlaylistPageRow | undefined,
  perPage: number,
  total = Number(row?.total ?? 0),
): PlaylistPage {
  const records = row?.records ? row.records.split(separator) : []
  const hasMore = records.length > perPage
  const place = row?.places?.[perPage - 1]
  const id = row?.ids?.[perPage - 1]
  return {
    total,
    records: records.slice(0, perPage),
    last: hasMore && place && id ? { place, id } : undefined,
  }
}

function answerWith({ query }: Call, request: PageRequest, { total, records, last }: PlaylistPage): Answer {
  const shown = records.map((record) => project(query, record)).join(',')
  const place = pagination(request, { total, isExact: true }, last && { value: last.place, id: last.id })
  return { json: `{"response":[${shown}],"pagination":${JSON.stringify(place)}}` }
}
