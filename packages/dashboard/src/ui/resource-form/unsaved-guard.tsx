import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Dialog } from '../form-dialog.js'
import { strings } from '../strings.js'

interface GuardProps {
  readonly isDirty: boolean
  /** Replaces the default title of the question. */
  readonly title?: string
  readonly about?: string
  readonly leave?: string
}

/** Asks before unsaved changes are lost by a link, the back button or closing the tab. */
export function UnsavedGuard({ isDirty, title, about, leave }: GuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Dialog title={title ?? strings.unsaved} isOpen={status === 'blocked'} onClose={() => reset?.()}>
      <Text>{about ?? strings.unsavedAbout}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          {strings.stay}
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          {leave ?? strings.leave}
        </Button>
      </Group>
    </Dialog>
  )
}
