/** Stores where the viewer stopped each video. The data never leaves the browser. */
const key = 'zoetrope-positions'
const margin = 10
const most = 100

type Store = Pick<Storage, 'getItem' | 'setItem'>
type Positions = Record<string, number>

/** Returns the storage, if there is one. Access throws if the page may not use storage, as in a sandboxed frame. */
export function browserStore(): Store | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

function read(store: Store): Positions {
  try {
    const found: unknown = JSON.parse(store.getItem(key) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Positions) : {}
  } catch {
    return {}
  }
}

/** Returns the second to resume at, if one is stored. */
export function recall(store: Store, videoId: string): number | undefined {
  const seconds = read(store)[videoId]
  return typeof seconds === 'number' && seconds > margin ? seconds : undefined
}

/** Stores the position, or deletes it near the beginning and the end. Drops the least recently used entries. */
export function remember(store: Store, videoId: string, seconds: number, duration: number): void {
  const { [videoId]: _, ...others } = read(store)
  const isWorthIt = seconds > margin && seconds < duration - margin
  const entries = Object.entries(others).slice(-(most - 1))
  if (isWorthIt) entries.push([videoId, Math.round(seconds * 10) / 10])
  try {
    store.setItem(key, JSON.stringify(Object.fromEntries(entries)))
  } catch {
    // If the storage is full, only this position is lost.
  }
}
