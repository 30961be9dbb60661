import type { Db } from '../../db/database.js'
import { createBoundedMap } from '../../lib/bounded-map.js'

/** A playlist as a transaction sees it; its version changes with every change of what is in it. */
export interface Seen {
  readonly site_id: string
  readonly _id: string
  readonly version: string
  readonly total: number
}

/** How some of its videos are reached: past the place `after`, or from the end, and past so many more. */
export interface Way {
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
const keptPlaylists = 200
const kept = createBoundedMap<Signposts>(keptPlaylists)

/** The shortest way to `count` videos, of which `from` come before. A long one is measured, and known until something changes. */
export async function wayInto(tx: Db, seen: Seen, from: number, count: number): Promise<Way> {
  const backwards = { after: undefined, isFromEnd: true, skip: Math.max(seen.total - from - count, 0) }
  const known = shorter(backwards, along(seen, from))
  if (known.skip <= 2 * stride) return known
  await measure(tx, seen)
  return shorter(backwards, along(seen, from))
}

const shorter = (one: Way, other: Way): Way => (one.skip < other.skip ? one : other)

/** From the beginning, or from the last signpost before. */
function along({ site_id, _id, version }: Seen, from: number): Way {
  const signposts = kept.get(`${site_id} ${_id}`)
  const places = signposts?.version === version ? signposts.places : []
  const passed = Math.min(Math.floor(from / stride), places.length)
  return { after: places[passed - 1], isFromEnd: false, skip: from - passed * stride }
}

async function measure(tx: Db, { site_id, _id, version }: Seen): Promise<void> {
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
