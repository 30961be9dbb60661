import classes from './skip-button.module.css'

interface SkipButtonProps {
  readonly label: string
  /** The id of the element that gets the focus. */
  readonly to: string
}

/** Leads users of keyboards past what comes before an element. Others do not see it. */
export const SkipButton = ({ label, to }: SkipButtonProps) => (
  <button type="button" className={classes.skip} onClick={() => document.getElementById(to)?.focus()}>
    {label}
  </button>
)
