/** How many keys are compared to choose the one to forget. */
const sample = 8

/** Allows `most` at once per key, then as many again evenly over `perMs`. Stores one timestamp per key. */
export function createRateLimit(most: number, perMs: number, mostKeys = 50_000) {
  const share = perMs / most
  /** When each key's allowance is full again. */
  const fullUntil = new Map<string, number>()
  let hand = fullUntil.entries()

  function nextEntry(): [string, number] | undefined {
    const next = hand.next()
    if (!next.done) return next.value
    hand = fullUntil.entries()
    return hand.next().value
  }

  /**
   * Forgets the least used of the next few keys, round robin. A key near its limit is forgotten only if all
   * of them are near theirs, so many new addresses do not reset the count of another.
   */
  function forgetOne(): void {
    let least: [string, number] | undefined
    for (let looked = 0; looked < sample; looked += 1) {
      const entry = nextEntry()
      if (entry && (!least || entry[1] < least[1])) least = entry
    }
    if (least) fullUntil.delete(least[0])
  }

  /** Takes one and returns 0, or takes none and returns the milliseconds until one is available. */
  return (key: string, now = Date.now()): number => {
    const until = Math.max(fullUntil.get(key) ?? 0, now) + share
    const wait = until - now - perMs
    if (wait > 0) return wait
    if (fullUntil.size >= mostKeys && !fullUntil.has(key)) forgetOne()
    fullUntil.set(key, until)
    return 0
  }
}
