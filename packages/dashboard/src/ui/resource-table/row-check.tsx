import { Checkbox } from '@mantine/core'
import type { MouseEvent } from 'react'

interface RowCheckProps {
  readonly label: string
  readonly isSelected: boolean
  readonly className?: string | undefined
  /** With Shift, by mouse or keyboard, all rows from the last one to this one are meant. */
  onToggle(isSelected: boolean, isRange: boolean): void
}

/** The box that selects a row of a list. */
export const RowCheck = ({ label, isSelected, className, onToggle }: RowCheckProps) => (
  <Checkbox
    className={className}
    aria-label={label}
    checked={isSelected}
    onMouseDown={focusOnly}
    onChange={({ currentTarget, nativeEvent }) =>
      onToggle(currentTarget.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
    }
  />
)

/** With Shift, browsers would select the text between. */
function focusOnly(event: MouseEvent<HTMLInputElement>): void {
  if (!event.shiftKey) return
  event.preventDefault()
  event.currentTarget.focus()
}
