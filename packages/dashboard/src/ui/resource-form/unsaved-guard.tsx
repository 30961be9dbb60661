import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { strings } from '../strings.js'

/** Asks before somebody leaves changes behind, by a link, the back button or the closing of the tab. */
export function UnsavedGuard({ isDirty }: { readonly isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={strings.unsaved}
      closeButtonProps={{ 'aria-label': strings.stay }}
    >
      <Text>{strings.unsavedAbout}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          {strings.stay}
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          {strings.leave}
        </Button>
      </Group>
    </Modal>
  )
}
