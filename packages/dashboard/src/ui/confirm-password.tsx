import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { ZoetropeError } from '@zoetrope/sdk'
import { type ReactNode, useState } from 'react'
import { useSession } from '../data/session.js'
import { providerAddress, useSignInMethods } from '../data/sign-in-methods.js'
import { Dialog, QuickForm } from './form-dialog.js'
import { GivenUp } from './given-up.js'
import { strings } from './strings.js'

const isUnconfirmed = (error: unknown) => error instanceof ZoetropeError && error.code === 'confirm_required'

interface Waiting {
  readonly again: () => void
  readonly giveUp: () => void
}

interface Confirmation {
  readonly dialog: ReactNode
  /**
   * Runs an action that needs a recently confirmed password. Asks for the password if the server requires it, then
   * retries.
   */
  run<T>(action: () => Promise<T>): Promise<T>
  /** Always asks for the password. */
  ask(): Promise<void>
}

/** Asks for the password again before sensitive actions. */
export function useConfirmation(): Confirmation {
  const { user } = useSession()
  const [waiting, setWaiting] = useState<Waiting>()
  const ask = () =>
    new Promise<void>((resolve, reject) =>
      setWaiting({ again: resolve, giveUp: () => reject(new GivenUp()) }),
    )
  const run = async <T,>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action()
    } catch (error) {
      if (!isUnconfirmed(error)) throw error
      await ask()
      return action()
    }
  }
  const end = (then: 'again' | 'giveUp') => {
    setWaiting(undefined)
    waiting?.[then]()
  }
  const dialog = (
    <Dialog
      title={user.has_password ? strings.confirmTitle : strings.confirmElsewhereTitle}
      isOpen={waiting !== undefined}
      onClose={() => end('giveUp')}
    >
      {user.has_password ? <PasswordForm onConfirmed={() => end('again')} /> : <ConfirmElsewhere />}
    </Dialog>
  )
  return { dialog, run, ask }
}

/** For accounts without a password: the identity provider asks again, then the user repeats the action. */
function ConfirmElsewhere() {
  const { data } = useSignInMethods()
  return (
    <Stack>
      <Text size="sm">{strings.confirmElsewhereAbout}</Text>
      <Button component="a" href={providerAddress(true)} data-autofocus>
        {strings.confirmWith(data?.provider ?? '')}
      </Button>
    </Stack>
  )
}

function PasswordForm({ onConfirmed }: { onConfirmed(): void }) {
  const { publisher } = useSession()
  const [password, setPassword] = useState('')
  return (
    <QuickForm
      about={strings.confirmAbout}
      label={strings.confirm}
      send={() => publisher.confirm(password)}
      onSent={onConfirmed}
    >
      {(problem) => (
        <PasswordInput
          label={strings.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={problem}
          autoComplete="current-password"
          data-autofocus
          required
        />
      )}
    </QuickForm>
  )
}
