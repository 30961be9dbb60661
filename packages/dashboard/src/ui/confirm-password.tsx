import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ZoetropeError } from '@zoetrope/sdk'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useSession } from '../data/session.js'
import { explain } from './states.js'
import { strings } from './strings.js'

const isUnconfirmed = (error: unknown) => error instanceof ZoetropeError && error.code === 'confirm_required'

interface Waiting {
  readonly again: () => void
  readonly giveUp: () => void
}

/** Does what needs a fresh password: asks for it where the server does, and then goes on. */
export function useConfirmation(): {
  readonly dialog: ReactNode
  run<T>(action: () => Promise<T>): Promise<T>
} {
  const [waiting, setWaiting] = useState<Waiting>()
  const run = async <T,>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action()
    } catch (error) {
      if (!isUnconfirmed(error)) throw error
      await new Promise<void>((resolve, reject) =>
        setWaiting({ again: resolve, giveUp: () => reject(error) }),
      )
      return action()
    }
  }
  const end = (then: 'again' | 'giveUp') => {
    setWaiting(undefined)
    waiting?.[then]()
  }
  const dialog = (
    <Modal
      opened={waiting !== undefined}
      onClose={() => end('giveUp')}
      title={strings.confirmTitle}
      closeButtonProps={{ 'aria-label': strings.cancel }}
    >
      <PasswordForm onConfirmed={() => end('again')} />
    </Modal>
  )
  return { dialog, run }
}

function PasswordForm({ onConfirmed }: { onConfirmed(): void }) {
  const { publisher } = useSession()
  const [password, setPassword] = useState('')
  const confirming = useMutation({
    mutationFn: () => publisher.confirm(password),
    onSuccess: onConfirmed,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    confirming.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{strings.confirmAbout}</Text>
        <PasswordInput
          label={strings.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={confirming.error ? explain(confirming.error).about : undefined}
          autoComplete="current-password"
          data-autofocus
          required
        />
        <Group justify="flex-end">
          <Button type="submit" loading={confirming.isPending}>
            {strings.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
