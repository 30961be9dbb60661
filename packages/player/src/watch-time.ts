/** A longer gap between events means that the device was asleep. */
const longestStretch = 30

/** Measures how long a film has played, in real seconds. Pauses and buffering do not count. */
export function createWatchTime(now: () => number) {
  let total = 0
  let since: number | undefined
  const settle = (): number => {
    if (since !== undefined) {
      total += Math.min(Math.max(0, (now() - since) / 1000), longestStretch)
      since = now()
    }
    return total
  }
  return {
    run(): void {
      settle()
      since = now()
    },
    stop(): number {
      settle()
      since = undefined
      return total
    },
    settle,
  }
}
