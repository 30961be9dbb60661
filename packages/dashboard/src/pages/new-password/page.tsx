import { Alert, Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import { Sheet } from '../../app/sheet.js'
import { visitor } from '../../data/api.js'
import { explain } from '../../ui/states.js'
import { strings } from './strings.js'

/** The page of the link in the mail for a forgotten password. The token is in the fragment. */
export function Page() {
  const [token] = useState(() => window.location.hash.slice(1))
  const [password, setPassword] = useState('')
  const saving = useMutation({ mutationFn: () => visitor.setForgottenPassword({ token, password }) })
  useEffect(() => {
    document.title = `${strings.title} · Zoetrope`
  }, [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  if (saving.isSuccess)
    return (
      <Sheet title={strings.title} about={strings.done}>
        <Anchor href="/dashboard" ta="center">
          {strings.toSignIn}
        </Anchor>
      </Sheet>
    )
  return (
    <Sheet title={strings.title} about={strings.about}>
      <form onSubmit={submit} method="post">
        <Stack>
          {saving.error && (
            <Alert color="red" variant="light" role="alert">
              <Text size="sm">{explain(saving.error).about}</Text>
            </Alert>
          )}
          <PasswordInput
            label={strings.title}
            name="password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="new-password"
            autoFocus
            minLength={8}
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={saving.isPending} fullWidth>
            {strings.save}
          </Button>
        </Stack>
      </form>
    </Sheet>
  )
}
