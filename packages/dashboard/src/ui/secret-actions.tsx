import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { DialogButton } from './form-dialog.js'
import { Icon } from './icons.js'
import { sayDone, sayFailed } from './notices.js'
import { strings } from './strings.js'

const words = strings.secrets

interface SecretActionsProps<T> {
  /** The name of the secrets, for the buttons' accessible labels. */
  readonly name: string
  /** What happens to clients that use the old secrets. */
  readonly about: string
  readonly isShown: boolean
  readonly reveal: () => Promise<T>
  readonly replace: (overlapHours: number) => Promise<T>
  readonly onShown: (secrets: T) => void
  /** The key of queries to refetch after a replacement. */
  readonly stale: readonly unknown[]
}

/** Reveals or replaces secrets. The server asks for the password. */
export function SecretActions<T>(props: SecretActionsProps<T>) {
  const { name, about, isShown, reveal, replace, onShown, stale } = props
  const queries = useQueryClient()
  const button = useRef<HTMLButtonElement>(null)
  const [hours, setHours] = useState('24')
  const revealing = useMutation({
    mutationFn: reveal,
    onSuccess: (secrets) => {
      onShown(secrets)
      // The button was disabled meanwhile and lost the focus. This returns it after the render.
      setTimeout(() => button.current?.focus())
    },
    onError: (error) => sayFailed(words.notRevealed, error),
  })
  const replacing = useMutation({
    mutationFn: () => replace(Number(hours)),
    onSuccess: async (secrets) => {
      onShown(secrets)
      sayDone(words.replaced(name))
      await queries.invalidateQueries({ queryKey: stale })
    },
    onError: (error) => sayFailed(words.notReplaced, error),
  })
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<Icon name="eye" />}
        aria-label={`${words.reveal}: ${name}`}
        loading={revealing.isPending}
        ref={button}
        aria-disabled={isShown}
        data-disabled={isShown || undefined}
        onClick={() => isShown || revealing.mutate()}
      >
        {words.reveal}
      </Button>
      <DialogButton
        label={words.replace}
        icon="again"
        aria-label={`${words.replace}: ${name}`}
        loading={replacing.isPending}
        title={words.replaceTitle(name.toLowerCase())}
      >
        {(close) => (
          <Stack>
            <Text>{about}</Text>
            <NativeSelect
              label={words.overlap}
              value={hours}
              data={Object.entries(words.overlaps).map(([value, label]) => ({ value, label }))}
              onChange={(event) => setHours(event.currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {strings.cancel}
              </Button>
              <Button
                onClick={() => {
                  close()
                  replacing.mutate()
                }}
              >
                {words.replace}
              </Button>
            </Group>
          </Stack>
        )}
      </DialogButton>
    </Group>
  )
}
