import { Group, Progress, Text } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import classes from './selection-bar.module.css'
import { useClearOf } from './use-clear-of.js'

interface SelectionBarProps {
  /** Its name for screen readers. */
  readonly label: string
  /** How many are selected. */
  readonly words: string
  /** The actions. */
  readonly children: ReactNode
}

/** Actions on the selected rows of a list, at the bottom of the window. */
export function SelectionBar({ label, words, children }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  useClearOf(bar)
  return (
    <Group ref={bar} className={classes.bar} role="region" aria-label={label} gap="xs">
      <Text fw={600} size="sm" role="status">
        {words}
      </Text>
      {children}
    </Group>
  )
}

interface BusyBarProps {
  readonly label: string
  readonly words: string
  readonly done: number
  readonly all: number
}

/** Takes the place of the bar while an action runs. */
export const BusyBar = ({ label, words, done, all }: BusyBarProps) => (
  <Group className={classes.bar} role="status" gap="xs">
    <Text fw={600} size="sm">
      {words}
    </Text>
    <Progress value={(100 * done) / all} w="12rem" aria-label={label} />
  </Group>
)
