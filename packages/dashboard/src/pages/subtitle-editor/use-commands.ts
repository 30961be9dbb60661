import { useMemo, useRef } from 'react'
import type { PlayerHandle } from '../video/player.js'
import type { LineCommand, LineField } from './keys.js'
import {
  addLine,
  changeLine,
  joinLines,
  type Line,
  type Lines,
  lineBefore,
  nudge,
  removeLines,
  splitLine,
} from './line-edits.js'
import type { EditedLines } from './use-lines.js'

/** Where the focus goes next. A new object moves it again. */
export interface FocusTarget {
  readonly key: number
  readonly field: LineField
  /** The selection in the text. Without it, the caret goes to the end. */
  readonly from?: number
  readonly to?: number
}

export interface LineCommands {
  run(command: LineCommand, key: number, field: LineField, cursor: number): void
  setText(key: number, text: string): void
  setTime(key: number, field: 'start' | 'end', at: number): void
  seek(milliseconds: number): void
  addAt(milliseconds: number): void
}

const step = 100
const largeStep = 1000
const steps: Partial<Readonly<Record<LineCommand, number>>> = {
  later: step,
  earlier: -step,
  muchLater: largeStep,
  muchEarlier: -largeStep,
}

/** What can be done with lines. The functions stay the same, so that lines are drawn again only when they change. */
export function useCommands(
  edited: EditedLines,
  player: PlayerHandle,
  setFocus: (target: FocusTarget) => void,
  isReadOnly: boolean,
): LineCommands {
  const latest = useRef(edited)
  latest.current = edited
  return useMemo(() => {
    const change: EditedLines['change'] = (edit, mark) => {
      if (!isReadOnly) latest.current.change(edit, mark)
    }
    const playhead = () => Math.round((player.currentTime() ?? 0) * 1000)
    const focusOn = (line: Line | undefined, field: LineField = 'text', caret: Partial<FocusTarget> = {}) => {
      if (line) setFocus({ key: line.key, field, ...caret })
    }
    const add = (after: number | undefined, at?: number) => {
      if (isReadOnly) return
      const key = latest.current.newKey()
      change((lines) => addLine(lines, after, key, at))
      setFocus({ key, field: 'text' })
    }
    const split = (lines: Lines, index: number, cursor: number) => {
      const key = latest.current.newKey()
      const at = playhead()
      change((now) => splitLine(now, index, cursor, key, at))
      if (lines[index] && !isReadOnly) setFocus({ key, field: 'text', from: 0, to: 0 })
    }
    const join = (line: Line, index: number) => {
      change((lines) => joinLines(lines, index))
      focusOn(line, 'text', { from: line.text.length, to: line.text.length })
    }
    const remove = (lines: Lines, index: number) => {
      const { key } = lines[index] ?? {}
      if (key === undefined) return
      change((now) => removeLines(now, new Set([key])))
      focusOn(lines[index - 1] ?? lines[index + 1])
    }
    const move = (key: number, by: number, field: LineField) =>
      change(
        (lines) =>
          lines.map((each) =>
            each.key === key ? { ...each, ...nudge(each, by, field === 'text' ? 'both' : field) } : each,
          ),
        `nudge ${key}`,
      )
    return {
      run(command, key, field, cursor) {
        const { lines } = latest.current
        const index = lines.findIndex((line) => line.key === key)
        const line = lines[index]
        if (!line) return
        const by = steps[command]
        if (by !== undefined) return move(key, by, field)
        const actions: Partial<Record<LineCommand, () => void>> = {
          next: () => (lines[index + 1] ? focusOn(lines[index + 1], field) : add(key)),
          down: () => focusOn(lines[index + 1], field),
          up: () => focusOn(lines[index - 1]),
          split: () => split(lines, index, cursor),
          join: () => join(line, index),
          add: () => add(key),
          remove: () => remove(lines, index),
          startNow: () => change((now) => changeLine(now, key, { start: playhead() })),
          endNow: () => change((now) => changeLine(now, key, { end: playhead() })),
          play() {
            player.seek(line.start / 1000)
            player.play()
          },
        }
        actions[command]?.()
      },
      setText: (key, text) => change((lines) => changeLine(lines, key, { text }), `text ${key}`),
      setTime: (key, field, at) => change((lines) => changeLine(lines, key, { [field]: at })),
      seek: (milliseconds) => player.seek(milliseconds / 1000),
      addAt: (milliseconds) => add(lineBefore(latest.current.lines, milliseconds), milliseconds),
    }
  }, [player, setFocus, isReadOnly])
}
