/** Collects frequent events and writes them in batches, so that no request waits for the database. */
export interface EventBatch<T> {
  /** Adds an event; returns false if too many are waiting. */
  add(key: string, value: T): boolean
  /** Writes the batch. If that fails, keeps it for the next flush. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface Gathering<T> {
  /** Combines two values of one key. */
  readonly merge: (before: T, value: T) => T
  readonly write: (entries: ReadonlyMap<string, T>) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

const flushMs = 3000
/** With more keys than this, the batch is written at once. */
const mostGathered = 10_000
/** As many keys are kept while writing fails. */
const mostKept = 50_000

export function openGathered<T>({ merge, write, onError }: Gathering<T>): EventBatch<T> {
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
