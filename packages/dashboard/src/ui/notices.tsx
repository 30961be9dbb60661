import { Button, Group, Text } from '@mantine/core'
import type { NotificationData } from '@mantine/notifications'
import { GivenUp } from './given-up.js'
import { Icon } from './icons.js'
import { explain } from './states.js'
import { strings } from './strings.js'

const doneMs = 4000
const failedMs = 10_000
let offered = 0

/** Loads with the first notice, because nothing needs it earlier. */
const load = async () => (await import('@mantine/notifications')).notifications
const show = (notice: NotificationData) => void load().then((notifications) => notifications.show(notice))

/** Reports a success. */
export function sayDone(message: string): void {
  show({
    message,
    color: 'teal',
    icon: <Icon name="check" />,
    autoClose: doneMs,
    closeButtonProps: { 'aria-label': strings.close },
  })
}

/** Reports an error. A cancelled confirmation is not an error. */
export function sayFailed(title: string, error: unknown): void {
  if (error instanceof GivenUp) return
  show({
    title,
    message: explain(error).about,
    color: 'red',
    icon: <Icon name="warning" />,
    autoClose: failedMs,
    closeButtonProps: { 'aria-label': strings.close },
  })
}

/**
 * Reports a success, with an undo button. It stays until the user closes it, or until another one with the same slot
 * replaces it.
 */
export function offerUndo(message: string, undo: () => void, slot?: string): void {
  offered += 1
  const id = `undo-${slot ?? offered}`
  const back = () => {
    void load().then((notifications) => notifications.hide(id))
    undo()
  }
  const notice = {
    id,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="light" leftSection={<Icon name="undo" size={14} />} onClick={back}>
          {strings.undo}
        </Button>
      </Group>
    ),
    autoClose: false,
    closeButtonProps: { 'aria-label': strings.close },
  } as const
  void load().then((notifications) => {
    // Each of the two does nothing where the other one is needed.
    notifications.update(notice)
    notifications.show(notice)
  })
}
