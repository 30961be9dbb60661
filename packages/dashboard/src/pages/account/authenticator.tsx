import { Alert, Anchor, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { sessionKey, useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { sayDone } from '../../ui/notices.js'
import { explain } from '../../ui/states.js'
import { strings } from './strings.js'

/** Turns the second factor on and off. */
export function Authenticator() {
  const { user, publisher } = useSession()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const preparing = useMutation({ mutationFn: () => publisher.prepareTotp(password) })
  const ending = useMutation({
    mutationFn: () => publisher.turnTotpOff(password),
    onSuccess: async () => {
      sayDone(strings.totpEnded)
      setPassword('')
      await queries.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const doing = user.totp_enabled ? ending : preparing
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    doing.mutate()
  }
  if (preparing.data && !user.totp_enabled) return <Enrol {...preparing.data} />
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{user.totp_enabled ? strings.totpOn : strings.totpOff}</Text>
        <PasswordInput
          label={strings.current}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={doing.error ? explain(doing.error).about : undefined}
          autoComplete="current-password"
          required
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={doing.isPending}>
            {user.totp_enabled ? strings.totpEnd : strings.totpBegin}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface Prepared {
  readonly secret: string
  readonly uri: string
}

function Enrol({ secret, uri }: Prepared) {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const turning = useMutation({ mutationFn: () => publisher.turnTotpOn(code) })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    turning.mutate()
  }
  if (turning.data)
    return (
      <Alert variant="light" color="teal" title={strings.recovery}>
        <Stack>
          <Text size="sm">{strings.recoveryAbout}</Text>
          <Code block>{turning.data.recovery_codes.join('\n')}</Code>
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={() => void queries.invalidateQueries({ queryKey: sessionKey })}
            >
              {strings.done}
            </Button>
          </Group>
        </Stack>
      </Alert>
    )
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{strings.totpAbout}</Text>
        <Copyable label={strings.totpSecret} text={secret} />
        <Anchor href={uri}>{strings.totpLink}</Anchor>
        <TextInput
          label={strings.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={turning.error ? explain(turning.error).about : undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
        />
        <Group justify="flex-end">
          <Button type="submit" loading={turning.isPending}>
            {strings.turnOn}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
