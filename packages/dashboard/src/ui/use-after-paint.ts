import { useRef } from 'react'

/** The longest wait for a paint, for browsers that do not paint a page in the background. */
const mostMs = 100

/** Returns a function that runs something after the next paint. Only the latest one runs. */
export function useAfterPaint(): (run: () => void) => void {
  const latest = useRef<() => void>(undefined)
  return (run) => {
    const isFirst = latest.current === undefined
    latest.current = run
    if (!isFirst) return
    const start = () => {
      latest.current?.()
      latest.current = undefined
    }
    requestAnimationFrame(() => setTimeout(start))
    setTimeout(start, mostMs)
  }
}
