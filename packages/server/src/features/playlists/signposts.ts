import type { Db } from '../../db/database.js'
import { type BoundedMap, createBoundedMap } from '../../lib/bounded-map.js'

/** A playlist as a transaction sees it. Its version changes whenever its content does. */
export interface SeenPlaylist {
  readonly site_id: string
  readonly _id: string
  readonly version: string
  readonly total: number
}

/** Where to start reading: after the position `after`, or from the end, and how many videos to skip from there. */
export interface StartPoint {
  readonly after: string | undefined
  readonly isFromEnd: boolean
  readonly skip: number
}

interface Signposts {
  readonly version: string
  /** The places of every so many videos. */
  readonly places: readonly string[]
}

const stride = 1000
type SignpostCache = BoundedMap<Signposts>

/** The signposts of recently read playlists. */
export const signpostCache = (): SignpostCache => createBoundedMap(200)

/** The shortest way to `count` videos after the first `from`. If it is long, the playlist is measured once per version. */
export async function wayInto(
  tx: Db,
  kept: SignpostCache,
  seen: SeenPlaylist,
  from: number,
  count: number,
): Promise<StartPoint> {
  const backwards = { after: undefined, isFromEnd: true, skip: Math.max(seen.total - from - count, 0) }
  const known = shorter(backwards, along(kept, seen, from))
  if (known.skip <= 2 * stride) return known
  await measure(tx, kept, seen)
  return shorter(backwards, along(kept, seen, from))
}

const shorter = (one: StartPoint, other: StartPoint): StartPoint => (one.skip < other.skip ? one : other)

/** The way from the beginning, or from the last signpost before. */
function along(kept: SignpostCache, { site_id, _id, version }: SeenPlaylist, from: number): StartPoint {
  const signposts = kept.get(`${site_id} ${_id}`)
  const places = signposts?.version === version ? signposts.places : []
  const passed = Math.min(Math.floor(from / stride), places.length)
  return { after: places[passed - 1], isFromEnd: false, skip: from - passed * stride }
}

async function measure(tx: Db, kept: SignpostCache, { site_id, _id, version }: SeenPlaylist): Promise<void> {
  const rows = await tx<{ place: string }[]>`
    select position as place from (
      select position, row_number() over (order by position) as number from playlist_videos
      where site_id = ${site_id} and playlist_id = ${_id} and shown
    ) as numbered
    where number % ${stride} = 0 order by position
  `
  const places = rows.map(({ place }) => place)
  kept.set(`${site_id} ${_id}`, { version, places })
}
