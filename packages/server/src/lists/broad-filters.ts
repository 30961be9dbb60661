import { limits } from '@zoetrope/contract'
import { type Fragment, statementOf } from '../db/fragment.js'
import { type BoundedMap, createBoundedMap } from '../lib/bounded-map.js'

/** So many more matches are counted than a list reports, so that some changes later there are still enough. */
const margin = 1000
export const countedMatches = limits.counted.value + margin
/** One statement can change many records and counts as one change, so nothing is trusted for long. */
const keptMs = 60_000
const longestKey = 2000

/** When a filter was last counted, and at which version of the list. */
interface Sighting {
  readonly at: number
  readonly version: number
}

/** The filters that matched more records than are counted, by `keyOf`. */
export type BroadFilters = BoundedMap<Sighting>
export const createBroadFilters = (): BroadFilters => createBoundedMap<Sighting>(1000)

/** A name for a filter with its values. Very long filters have none. */
function keyOf(where: Fragment | undefined): string | undefined {
  if (!where) return undefined
  const key = JSON.stringify(statementOf(where))
  return key.length <= longestKey ? key : undefined
}

/**
 * What is known about a filter. One that most records match need not be counted for every page: until there were as many
 * changes as the margin, it has more matches than are counted. Nothing is known without `where`, for lists whose version does
 * not change with their matches.
 */
export function aboutFilter(filters: BroadFilters, where: Fragment | undefined) {
  const key = keyOf(where)
  const sighting = key === undefined ? undefined : filters.get(key)
  return {
    /** Whether it had too many matches a moment ago. */
    wasBroad: sighting !== undefined && Date.now() - sighting.at < keptMs,
    /** Whether it still has, at this version of the list. */
    isBroadAt: (version: number) => sighting !== undefined && version - sighting.version < margin,
    note({ total, version }: { readonly total: number; readonly version: number }): void {
      if (key === undefined) return
      if (total >= countedMatches) filters.set(key, { at: Date.now(), version })
      else filters.delete(key)
    },
  }
}
