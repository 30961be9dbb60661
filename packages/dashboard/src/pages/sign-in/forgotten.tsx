import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { visitor } from '../../data/api.js'
import { EmailInput } from '../../ui/email-input.js'
import { explain } from '../../ui/states.js'
import { strings } from './strings.js'

interface ForgottenProps {
  readonly email: string
  /** Whether the server can send mail. If not, only its operator can set a new password. */
  readonly canMail: boolean
  onBack(): void
}

/** Asks for the address that a link for a new password is mailed to. */
export function Forgotten({ email: typed, canMail, onBack }: ForgottenProps) {
  const [email, setEmail] = useState(typed)
  const asking = useMutation({ mutationFn: () => visitor.forgotPassword(email) })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  const back = (
    <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
      {strings.toSignIn}
    </Anchor>
  )
  const title = (
    <Title order={1} size="h3" ta="center">
      {strings.forgotten}
    </Title>
  )
  if (!canMail)
    return (
      <Stack>
        {title}
        <Text size="sm">{strings.forgottenNoMail}</Text>
        {back}
      </Stack>
    )
  return (
    <Stack component="form" onSubmit={submit} {...{ method: 'post' }}>
      {title}
      <Text size="sm">{strings.forgottenAbout}</Text>
      {asking.error && (
        <Alert color="red" variant="light" role="alert">
          {explain(asking.error).about}
        </Alert>
      )}
      {asking.isSuccess ? (
        <Alert color="teal" variant="light" role="status">
          {strings.forgottenSent}
        </Alert>
      ) : (
        <>
          <EmailInput value={email} onChange={setEmail} autoFocus />
          <Button type="submit" loading={asking.isPending} fullWidth>
            {strings.forgottenSend}
          </Button>
        </>
      )}
      {back}
    </Stack>
  )
}
