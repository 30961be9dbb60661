/** Where a viewer stopped, by video, in this browser. Nothing of it leaves the browser. */
const key = 'zoetrope-positions'
const margin = 10
const most = 100

type Store = Pick<Storage, 'getItem' | 'setItem'>
type Positions = Record<string, number>

/** Reading the storage throws where a page may not have any, as in a sandboxed frame. */
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

/** The second to go on at, if one is remembered. */
export function recall(store: Store, videoId: string): number | undefined {
  const seconds = read(store)[videoId]
  return typeof seconds === 'number' && seconds > margin ? seconds : undefined
}

/** Remembers the position, or forgets it near the beginning and the end. The longest unused gives way to the newest. */
export function remember(store: Store, videoId: string, seconds: number, duration: number): void {
  const { [videoId]: _, ...others } = read(store)
  const isWorthIt = seconds > margin && seconds < duration - margin
  const entries = Object.entries(others).slice(-(most - 1))
  if (isWorthIt) entries.push([videoId, Math.round(seconds * 10) / 10])
  try {
    store.setItem(key, JSON.stringify(Object.fromEntries(entries)))
  } catch {
    // A full storage only costs the memory of this position.
  }
}
