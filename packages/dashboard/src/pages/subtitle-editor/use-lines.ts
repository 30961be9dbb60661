import { useCallback, useMemo, useRef, useState } from 'react'
import type { Cue } from '../video/subtitles/cues.js'
import type { Line, Lines } from './line-edits.js'

interface History {
  readonly past: readonly Lines[]
  readonly now: Lines
  readonly future: readonly Lines[]
  /** What the last change was about. Changes with the same mark are undone together. */
  readonly mark: string | undefined
}

const longestPast = 300

export interface EditedLines {
  readonly lines: Lines
  /** What was saved last, or was there at first. */
  readonly saved: Lines
  readonly isDirty: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** Changes the lines. Typing in one field has one mark, so that undo takes back more than a letter. */
  change(edit: (lines: Lines) => Lines, mark?: string): void
  undo(): void
  redo(): void
  /** A key for a new line. */
  newKey(): number
  /** Replaces all lines, which can be undone, and returns the new ones. */
  replace(cues: readonly Cue[]): Lines
  /** Remembers what was saved. */
  markSaved(lines: Lines): void
}

const changed = ({ past, now, mark: last }: History, next: Lines, mark: string | undefined): History => ({
  past: mark !== undefined && mark === last ? past : [...past, now].slice(-longestPast),
  now: next,
  future: [],
  mark,
})

const stepBack = (history: History): History => {
  const { past, now, future } = history
  const previous = past.at(-1)
  return previous
    ? { past: past.slice(0, -1), now: previous, future: [now, ...future], mark: undefined }
    : history
}

const stepForward = (history: History): History => {
  const { past, now, future } = history
  const [next, ...rest] = future
  return next ? { past: [...past, now], now: next, future: rest, mark: undefined } : history
}

/** The lines of a subtitle while they are edited, with undo and redo. */
export function useLines(cues: readonly Cue[]): EditedLines {
  const first = useMemo<Lines>(() => cues.map((cue, key): Line => ({ ...cue, key })), [cues])
  const [history, setHistory] = useState<History>({ past: [], now: first, future: [], mark: undefined })
  const [saved, setSaved] = useState(first)
  const lastKey = useRef(cues.length)
  const change = useCallback(
    (edit: (lines: Lines) => Lines, mark?: string) =>
      setHistory((old) => {
        const next = edit(old.now)
        return next === old.now ? old : changed(old, next, mark)
      }),
    [],
  )
  const newKey = useCallback(() => {
    lastKey.current += 1
    return lastKey.current
  }, [])
  return {
    lines: history.now,
    saved,
    isDirty: history.now !== saved,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change,
    undo: useCallback(() => setHistory(stepBack), []),
    redo: useCallback(() => setHistory(stepForward), []),
    newKey,
    replace(next) {
      const lines = next.map((cue): Line => ({ ...cue, key: newKey() }))
      change(() => lines)
      return lines
    },
    markSaved: setSaved,
  }
}
