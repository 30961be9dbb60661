import { useSyncExternalStore } from 'react'

const tickMs = 30_000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, tickMs)
  // The time may be old if nothing has watched it for a while.
  if (Date.now() - now > tickMs) tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The current time, twice a minute. It is the same for all components, so relative times in a list agree. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
