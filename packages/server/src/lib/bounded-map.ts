/**
 * A map that keeps only the newest entries. Clearing it at its limit would let one client empty it for
 * everyone.
 */
export interface BoundedMap<V> {
  get(key: string): V | undefined
  /** Sets a key and makes it the newest entry. Drops the oldest entry if there are too many. */
  set(key: string, value: V): void
  delete(key: string): void
  clear(): void
  /** Whether a new key drops the oldest entry. */
  isFull(): boolean
  entries(): [string, V][]
}

interface LinkedEntry<V> {
  readonly key: string
  readonly value: V
  newer: LinkedEntry<V> | undefined
  older: LinkedEntry<V> | undefined
}

/**
 * Entries are linked by age: finding the first key of a `Map` would step over every key deleted before it.
 */
export function createBoundedMap<V>(most: number): BoundedMap<V> {
  const links = new Map<string, LinkedEntry<V>>()
  let newest: LinkedEntry<V> | undefined
  let oldest: LinkedEntry<V> | undefined

  function unlink(link: LinkedEntry<V>): void {
    links.delete(link.key)
    if (link.newer) link.newer.older = link.older
    else newest = link.older
    if (link.older) link.older.newer = link.newer
    else oldest = link.newer
  }
  function remove(key: string): void {
    const link = links.get(key)
    if (link) unlink(link)
  }
  return {
    get: (key) => links.get(key)?.value,
    set(key, value) {
      remove(key)
      const link: LinkedEntry<V> = { key, value, newer: undefined, older: newest }
      if (newest) newest.newer = link
      newest = link
      oldest ??= link
      links.set(key, link)
      if (links.size > most && oldest) unlink(oldest)
    },
    delete: remove,
    isFull: () => links.size >= most,
    clear() {
      links.clear()
      newest = undefined
      oldest = undefined
    },
    entries: () => Array.from(links.values(), ({ key, value }) => [key, value]),
  }
}
