import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { confirmation, useConfirmationAsked } from '../data/confirmation.js'
import { useSession } from '../data/session.js'
import { providerAddress, useSignInMethods } from '../data/sign-in-methods.js'
import { Dialog, QuickForm } from './form-dialog.js'
import { strings } from './strings.js'

/** Asks for the password again before sensitive actions, whatever page they are on. The request then goes on. */
export function ConfirmPassword() {
  const { user } = useSession()
  const isAsked = useConfirmationAsked()
  return (
    <Dialog
      title={user.has_password ? strings.confirmTitle : strings.confirmElsewhereTitle}
      isOpen={isAsked}
      onClose={() => confirmation.end('giveUp')}
    >
      {user.has_password ? <PasswordForm /> : <ConfirmElsewhere />}
    </Dialog>
  )
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

function PasswordForm() {
  const { publisher } = useSession()
  const [password, setPassword] = useState('')
  return (
    <QuickForm
      about={strings.confirmAbout}
      label={strings.confirm}
      send={() => publisher.confirm(password)}
      onSent={() => confirmation.end('confirmed')}
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
