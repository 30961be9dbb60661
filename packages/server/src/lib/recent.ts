import { createBoundedMap } from './bounded-map.js'

/** A cache of values that were looked up a short time ago. */
export interface Recent<T> {
  /** The cached value, if any. Never waits. */
  known(key: string): T | undefined
  /** The value, looked up if it is not known. Missing values are not remembered. */
  find(key: string, look: () => Promise<T | undefined>): Promise<T | undefined>
  /** Forgets all values, or those that match. */
  forget(which?: (value: T) => boolean): void
}

/**
 * Remembers each value for `maxAgeMs` from the start of its look-up, and at most `most` values; the least recently used is
 * dropped for a new one.
 */
export function createRecent<T>(maxAgeMs: number, most: number): Recent<T> {
  const kept = createBoundedMap<{ readonly value: T; readonly until: number }>(most)
  // A look-up that began before forget() may return an old value, so that is returned but not kept.
  let generation = 0

  const known = (key: string): T | undefined => {
    const entry = kept.get(key)
    if (!entry || entry.until <= Date.now()) return undefined
    // Until something is dropped, the order does not matter.
    if (kept.isFull()) kept.set(key, entry)
    return entry.value
  }
  return {
    known,
    async find(key, look) {
      const fresh = known(key)
      if (fresh !== undefined) return fresh
      const until = Date.now() + maxAgeMs
      const begun = generation
      const value = await look()
      if (value === undefined) kept.delete(key)
      else if (begun === generation) kept.set(key, { value, until })
      return value
    },
    forget(which) {
      generation += 1
      if (!which) return kept.clear()
      for (const [key, { value }] of kept.entries()) if (which(value)) kept.delete(key)
    },
  }
}
