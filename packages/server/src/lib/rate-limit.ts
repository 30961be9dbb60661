/** How many keys are compared when one has to be forgotten. */
const sample = 8

/** At most `most` at once for each key, and then as many again over `perMs`, evenly. Nothing is stored but a moment for each key. */
export function createRateLimit(most: number, perMs: number, mostKeys = 50_000) {
  const share = perMs / most
  /** When what a key has taken will be given back. */
  const fullUntil = new Map<string, number>()
  let hand = fullUntil.entries()

  function nextEntry(): [string, number] | undefined {
    const next = hand.next()
    if (!next.done) return next.value
    hand = fullUntil.entries()
    return hand.next().value
  }

  /**
   * Forgets the least used of the next few keys, going round. A key near its limit is forgotten only if all of these are,
   * so many new addresses do not reset the count of another.
   */
  function forgetOne(): void {
    let least: [string, number] | undefined
    for (let looked = 0; looked < sample; looked += 1) {
      const entry = nextEntry()
      if (entry && (!least || entry[1] < least[1])) least = entry
    }
    if (least) fullUntil.delete(least[0])
  }

  /** Takes one, and returns 0; or takes nothing, and returns the milliseconds until there is one to take. */
  return (key: string, now = Date.now()): number => {
    const until = Math.max(fullUntil.get(key) ?? 0, now) + share
    const wait = until - now - perMs
    if (wait > 0) return wait
    if (fullUntil.size >= mostKeys && !fullUntil.has(key)) forgetOne()
    fullUntil.set(key, until)
    return 0
  }
}
