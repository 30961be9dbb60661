import { useEffect, useState } from 'react'
import type { PlayerHandle } from './player.js'

const everyMs = 100

/** The player's current position in milliseconds. */
export function usePlayhead(player: PlayerHandle): number {
  const [at, setAt] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setAt(Math.round((player.currentTime() ?? 0) * 1000)), everyMs)
    return () => clearInterval(timer)
  }, [player])
  return at
}
