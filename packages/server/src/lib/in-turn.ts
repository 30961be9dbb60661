/** Runs work when a slot for its name is free. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Runs at most `most` pieces of work per name at a time. Others wait; with more than `longest` waiting,
 * throws `full()`.
 */
export function createTurns(
  most: number,
  longest = Number.POSITIVE_INFINITY,
  full = () => new Error('Too many are waiting'),
): InTurn {
  const lines = new Map<string, Line>()
  return async (name, work) => {
    const line = lines.get(name) ?? { running: 0, waiting: [] }
    lines.set(name, line)
    if (line.running < most) line.running += 1
    else if (line.waiting.length >= longest) throw full()
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes directly to the longest-waiting work, so nothing can jump the queue.
      const next = line.waiting.shift()
      if (next) next()
      else {
        line.running -= 1
        if (line.running === 0) lines.delete(name)
      }
    }
  }
}
