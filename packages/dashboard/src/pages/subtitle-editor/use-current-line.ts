import { useEffect, useRef, useState } from 'react'
import type { PlayerHandle } from '../video/player.js'
import type { Lines } from './line-edits.js'

const everyMs = 100

/** The key of the line at the playhead. Changes only with the line, so that the editor is not drawn with every tick. */
export function useCurrentLine(player: PlayerHandle, lines: Lines): number | undefined {
  const [current, setCurrent] = useState<number>()
  const latest = useRef(lines)
  latest.current = lines
  useEffect(() => {
    const timer = setInterval(() => {
      const at = (player.currentTime() ?? -1) * 1000
      setCurrent(latest.current.find(({ start, end }) => start <= at && at < end)?.key)
    }, everyMs)
    return () => clearInterval(timer)
  }, [player])
  return current
}
