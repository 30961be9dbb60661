import { type KeyboardEvent, memo, useState } from 'react'
import { readTimecode } from '../video/timecode.js'
import classes from './editor.module.css'
import { strings } from './strings.js'

/** A time with all its milliseconds: 1:02.345. */
export function preciseTime(milliseconds: number): string {
  const pad = (value: number, length: number) => String(value).padStart(length, '0')
  const seconds = Math.floor(milliseconds / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const whole = hours > 0 ? `${hours}:${pad(minutes, 2)}` : String(minutes)
  return `${whole}:${pad(seconds % 60, 2)}.${pad(milliseconds % 1000, 3)}`
}

interface TimeFieldProps {
  readonly field: 'start' | 'end'
  readonly label: string
  readonly at: number
  readonly isReadOnly: boolean
  readonly isWrong: boolean
  onChange(at: number): void
  onSeek(at: number): void
}

/** A time of a line. A click shows it in the film. What is typed counts when the field is left, or with Enter. */
export const TimeField = memo(function TimeField(props: TimeFieldProps) {
  const { field, label, at, isReadOnly, isWrong, onChange, onSeek } = props
  const [typed, setTyped] = useState<string>()
  const read = typed === undefined ? at : readTimecode(typed)
  const take = () => {
    setTyped(undefined)
    if (typed !== undefined && read !== undefined && read !== at) onChange(read)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setTyped(undefined)
    // A nudge starts from the time that was typed.
    if (event.key === 'Enter' || event.altKey) take()
  }
  return (
    <input
      className={classes.time}
      data-field={field}
      aria-label={label}
      aria-invalid={read === undefined || isWrong || undefined}
      title={read === undefined ? strings.noTime : undefined}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      readOnly={isReadOnly}
      value={typed ?? preciseTime(at)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onClick={() => onSeek(at)}
      onBlur={take}
      onKeyDown={onKeyDown}
    />
  )
})
