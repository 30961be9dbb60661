import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Icon } from './icons.js'
import { explain } from './states.js'
import { strings } from './strings.js'

const doneMs = 4000
const undoMs = 10_000

/** Tells that something was done. */
export function sayDone(message: string): void {
  notifications.show({
    message,
    color: 'teal',
    icon: <Icon name="check" />,
    autoClose: doneMs,
    closeButtonProps: { 'aria-label': strings.close },
  })
}

export function sayFailed(title: string, error: unknown): void {
  notifications.show({
    title,
    message: explain(error).about,
    color: 'red',
    icon: <Icon name="warning" />,
    autoClose: undoMs,
    closeButtonProps: { 'aria-label': strings.close },
  })
}

/** Tells what was done, with the way back for as long as the notice stands. */
export function offerUndo(message: string, undo: () => void): void {
  const id = `undo-${crypto.randomUUID()}`
  const back = () => {
    notifications.hide(id)
    undo()
  }
  notifications.show({
    id,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="light" leftSection={<Icon name="undo" size={14} />} onClick={back}>
          {strings.undo}
        </Button>
      </Group>
    ),
    autoClose: undoMs,
    closeButtonProps: { 'aria-label': strings.close },
  })
}
