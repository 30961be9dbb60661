import type { ComponentProps } from 'react'
import classes from './plain-list.module.css'

/** A list without bullets, with space between its items. */
export const PlainList = (props: Omit<ComponentProps<'ul'>, 'className'>) => (
  <ul className={classes.list} {...props} />
)
