/** After a longer gap between events, the device was asleep. */
const longestStretch = 30

/** How long a film has run, in real seconds: pauses and buffering do not count. */
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
