import { Button, Group, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { makeRoom } from '../notices.js'
import { strings } from '../strings.js'
import { useClearOf } from '../use-clear-of.js'
import classes from './resource-form.module.css'

interface SaveBarProps {
  readonly isSaving: boolean
  readonly saveLabel?: string
  /** Whether the form creates a record, so that there are no saved values to return to. */
  readonly isNew?: boolean
  /** The action of the second button, which is hidden without it. */
  readonly onDrop?: (() => void) | undefined
}

/** A bar that stays visible while there are unsaved changes. */
export function SaveBar({ isSaving, saveLabel, isNew = false, onDrop }: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  useClearOf(bar)
  useEffect(makeRoom, [])
  return (
    <Group ref={bar} className={classes.bar} justify="flex-end">
      {!isNew && <Text size="sm">{strings.unsaved}</Text>}
      {onDrop && (
        <Button variant="default" onClick={onDrop}>
          {isNew ? strings.cancel : strings.discard}
        </Button>
      )}
      <Button type="submit" loading={isSaving}>
        {saveLabel ?? (isNew ? strings.create : strings.save)}
      </Button>
    </Group>
  )
}
