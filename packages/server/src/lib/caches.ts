/**
 * Returns what `make` makes, always the same instance. A server keeps its caches here and not in modules, so that two servers
 * in one process, as in tests, share none of them.
 */
export type Caches = <T>(make: () => T) => T

export function createCaches(): Caches {
  const made = new Map<() => unknown, unknown>()
  return <T>(make: () => T): T => {
    if (!made.has(make)) made.set(make, make())
    return made.get(make) as T
  }
}
