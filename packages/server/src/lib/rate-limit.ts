/** At most `most` at once for each key, and then as many again over `perMs`, evenly. Nothing is stored but a moment for each key. */
export function createRateLimit(most: number, perMs: number, mostKeys = 50_000) {
  const share = perMs / most
  /** When what a key has taken will be given back. */
  const fullUntil = new Map<string, number>()

  function makeRoom(now: number): void {
    for (const [key, until] of fullUntil) if (until <= now) fullUntil.delete(key)
    if (fullUntil.size >= mostKeys) fullUntil.clear()
  }

  /** Takes one, and answers 0; or takes nothing, and answers with the milliseconds until there is one to take. */
  return (key: string, now = Date.now()): number => {
    const until = Math.max(fullUntil.get(key) ?? 0, now) + share
    const wait = until - now - perMs
    if (wait > 0) return wait
    if (fullUntil.size >= mostKeys) makeRoom(now)
    fullUntil.set(key, until)
    return 0
  }
}
