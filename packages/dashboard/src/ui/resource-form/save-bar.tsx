import { Button, Group, Text } from '@mantine/core'
import { strings } from '../strings.js'
import classes from './resource-form.module.css'

interface SaveBarProps {
  readonly isSaving: boolean
  readonly saveLabel?: string
  /** Makes something new: there is nothing to go back to. */
  readonly isNew?: boolean
  /** What the other button does; without it there is none. */
  readonly onDrop?: (() => void) | undefined
}

/** Stays in sight while there is something to save. */
export const SaveBar = ({ isSaving, saveLabel, isNew = false, onDrop }: SaveBarProps) => (
  <Group className={classes.bar} justify="flex-end">
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
