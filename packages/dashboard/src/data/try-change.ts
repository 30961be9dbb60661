import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Shows a change of a record before the server confirms it. Returns a function that reverts only this change: fields
 * that have changed since then keep their values.
 */
export function tryChange<T extends object>(
  queries: QueryClient,
  queryKey: QueryKey,
  change: Partial<T>,
): () => void {
  const before = queries.getQueryData<T>(queryKey)
  const put = (fields: Partial<T>) => queries.setQueryData<T>(queryKey, (now) => now && { ...now, ...fields })
  put(change)
  return () => {
    const now = queries.getQueryData<T>(queryKey)
    if (!before || !now) return
    const names = (Object.keys(change) as (keyof T)[]).filter((name) => now[name] === change[name])
    put(Object.fromEntries(names.map((name) => [name, before[name]])) as Partial<T>)
  }
}
