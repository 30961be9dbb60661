import { createBoundedMap } from './bounded-map.js'

/** What was looked up a moment ago, so that it need not be looked up again. */
export interface Recent<T> {
  /** The value if it was looked up recently; never waits. */
  known(key: string): T | undefined
  /** The value, looked up if it is not known. What is not there is not remembered. */
  find(key: string, look: () => Promise<T | undefined>): Promise<T | undefined>
  /** Forgets everything, or what is named. */
  forget(which?: (value: T) => boolean): void
}

/**
 * Remembers each value for `maxAgeMs` from before its look-up began, `most` of them at a time; the least recently used
 * makes room for a new one.
 */
export function createRecent<T>(maxAgeMs: number, most: number): Recent<T> {
  const kept = createBoundedMap<{ readonly value: T; readonly until: number }>(most)
  // A look-up that began before forget() may bring what was just changed; it is answered but not kept.
  let generation = 0

  const known = (key: string): T | undefined => {
    const entry = kept.get(key)
    if (!entry || entry.until <= Date.now()) return undefined
    kept.set(key, entry)
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
