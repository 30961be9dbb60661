/** Runs work of one name when it is its turn. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/** At most `most` pieces of work of one name at a time; others wait, and beyond `longest` of them `full()` is thrown. */
export function createTurns(most: number, longest: number, full: () => Error): InTurn {
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
      // Whoever waits longest takes over the place; nobody else can come between.
      const next = line.waiting.shift()
      if (next) next()
      else {
        line.running -= 1
        if (line.running === 0) lines.delete(name)
      }
    }
  }
}
