import type { ReactNode } from 'react'
import classes from './fold.module.css'
import { Icon } from './icons.js'

interface FoldProps {
  readonly isOpen: boolean
  /** The line that is always shown, and has less space around it if dense. */
  readonly summary: ReactNode
  readonly isDense?: boolean
  /** The user opens or folds it, perhaps by the browser's search, which looks into folded parts too. */
  onChoose(isOpen: boolean): void
  readonly children: ReactNode
}

/** A part of a page that is one line until somebody opens it. */
export const Fold = ({ isOpen, summary, isDense = false, onChoose, children }: FoldProps) => (
  <details
    open={isOpen}
    onToggle={({ currentTarget: { open } }) => {
      // The event also follows a change of the attribute, which is not the user's.
      if (open !== isOpen) onChoose(open)
    }}
  >
    <summary className={classes.summary} data-dense={isDense || undefined}>
      <span className={classes.chevron}>
        <Icon name="right" size={16} />
      </span>
      {summary}
    </summary>
    {children}
  </details>
)
