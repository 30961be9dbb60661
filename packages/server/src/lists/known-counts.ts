import type { Db } from '../db/database.js'
import { createBoundedMap } from '../lib/bounded-map.js'
import { type Counts, type DayList, readCounts } from './counts.js'

/** The counts of recently read lists. They may be too old: a page that is found with them has the version of its list. */
export interface KnownCounts {
  /** After a write, all who ask share one reading. */
  read(db: Db, list: DayList): Promise<Counts>
  keep(list: DayList, counts: Counts): void
  forget(list: DayList): void
}

export function createKnownCounts(): KnownCounts {
  const known = createBoundedMap<Counts>(200)
  const reading = new Map<string, Promise<Counts>>()
  const keyOf = ({ siteId, list, shown }: DayList) => `${siteId} ${list} ${shown}`
  return {
    async read(db, list) {
      const key = keyOf(list)
      const found = known.get(key) ?? reading.get(key)
      if (found) return found
      const begun = readCounts(db, list).finally(() => reading.delete(key))
      reading.set(key, begun)
      return begun
    },
    keep: (list, counts) => known.set(keyOf(list), counts),
    forget: (list) => known.delete(keyOf(list)),
  }
}
