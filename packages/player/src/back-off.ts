const first = 1000
const longest = 30_000

/** The delay in milliseconds after this many failures, with jitter so that viewers do not all retry at once. */
export const backOff = (failures: number, random = Math.random()): number =>
  Math.min(longest, first * 2 ** Math.max(0, failures - 1)) * (0.75 + random / 2)

/** Resolves after the delay, or as soon as the browser is online again. Never resolves after an abort. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const go = () => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(go, milliseconds)
    window.addEventListener('online', go, { signal: done.signal })
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        done.abort()
      },
      { signal: done.signal },
    )
  })
}
