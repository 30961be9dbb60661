import type { Db } from '../../db/database.js'
import { type BoundedMap, createBoundedMap } from '../../lib/bounded-map.js'

/** A playlist as a transaction sees it. Its version changes whenever its content does. */
export interface SeenPlaylist {
  readonly site_id: string
  readonly _id: string
  readonly version: string
  readonly total: number
}

/** Where to start reading (after the position `after`, or from the end), and how many videos to skip from there. */
export interface StartPoint {
  readonly after: string | undefined
  readonly isFromEnd: boolean
  readonly skip: number
}

interface Signposts {
  readonly version: string
  /** The position of every `stride`-th shown video. */
  readonly places: readonly string[]
}

const stride = 1000
type SignpostCache = BoundedMap<Signposts>

/** The signposts of recently read playlists. */
export const signpostCache = (): SignpostCache => createBoundedMap(200)

/**
 * Returns the start point with the fewest videos to skip before the `count` videos at offset `from`.
 * If too many would be skipped, signposts are computed, once per version of the playlist.
 */
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

/** Returns the start point at the beginning, or at the last signpost before `from`. */
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
