import { useCallback, useRef, useState } from 'react'
import type { Lines } from './line-edits.js'

const nothing: ReadonlySet<number> = new Set()

/** The lines that are ticked. A range is all lines from the one that was ticked before. */
export function useSelection(lines: Lines) {
  const [keys, setKeys] = useState(nothing)
  const last = useRef<number>(undefined)
  const latest = useRef(lines)
  latest.current = lines
  const toggle = useCallback((key: number, isRange: boolean) => {
    const all = latest.current.map((line) => line.key)
    const [from, to] = [all.indexOf(last.current ?? key), all.indexOf(key)]
    const range = isRange && from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [key]
    last.current = key
    setKeys((old) => {
      const isOn = !old.has(key)
      const next = new Set(old)
      for (const each of range) isOn ? next.add(each) : next.delete(each)
      return next
    })
  }, [])
  return { keys, toggle, clear: useCallback(() => setKeys(nothing), []) }
}
