/** What comes in by the hundred, gathered here and written together: no request waits for it. */
export interface Gathered<T> {
  /** Takes it up, unless too much has gathered already. */
  add(key: string, value: T): boolean
  /** Writes what was gathered. What cannot be written now is kept for the next time. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface Gathering<T> {
  /** Two values of one key as one. */
  readonly merge: (before: T, value: T) => T
  readonly write: (entries: ReadonlyMap<string, T>) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

const flushMs = 3000
/** Keys of which values are gathered; more are written at once. */
const mostGathered = 10_000
/** As many are kept while nothing can be written. */
const mostKept = 50_000

export function openGathered<T>({ merge, write, onError }: Gathering<T>): Gathered<T> {
  let gathered = new Map<string, T>()
  let writing: Promise<void> | undefined
  const ticking = setInterval(() => void flush(), flushMs)
  ticking.unref()

  function put(key: string, value: T): void {
    const before = gathered.get(key)
    gathered.set(key, before === undefined ? value : merge(before, value))
  }

  async function writeAll(): Promise<void> {
    const entries = gathered
    gathered = new Map()
    try {
      await write(entries)
    } catch (error) {
      for (const [key, value] of entries) put(key, value)
      onError(error)
    }
  }

  async function flush(): Promise<void> {
    await writing
    if (gathered.size === 0) return
    writing = writeAll().finally(() => {
      writing = undefined
    })
    await writing
  }

  return {
    add(key, value) {
      if (gathered.size >= mostKept && !gathered.has(key)) return false
      put(key, value)
      if (gathered.size >= mostGathered && !writing) void flush()
      return true
    },
    flush,
    async close() {
      clearInterval(ticking)
      await flush()
    },
  }
}
