import { Alert, Anchor, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionKey, useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { QuickForm } from '../../ui/form-dialog.js'
import { sayDone } from '../../ui/notices.js'
import { strings } from './strings.js'

/** Turns the second factor on and off. */
export function Authenticator() {
  const { user, publisher } = useSession()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const [prepared, setPrepared] = useState<Prepared>()
  // The recovery codes stay visible until the user has saved them, even after a refetch.
  if (prepared) return <Enrol {...prepared} onKept={() => setPrepared(undefined)} />
  const end = async () => {
    await publisher.turnTotpOff(password)
    return undefined
  }
  const goOn = async (next: Prepared | undefined) => {
    setPassword('')
    setPrepared(next)
    if (next) return
    sayDone(strings.totpEnded)
    await queries.invalidateQueries({ queryKey: sessionKey })
  }
  return (
    <QuickForm
      about={user.totp_enabled ? strings.totpOn : strings.totpOff}
      label={user.totp_enabled ? strings.totpEnd : strings.totpBegin}
      variant="default"
      send={() => (user.totp_enabled ? end() : publisher.prepareTotp(password))}
      onSent={goOn}
    >
      {(problem) => (
        <PasswordInput
          label={strings.current}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={problem}
          autoComplete="current-password"
          required
        />
      )}
    </QuickForm>
  )
}

interface Prepared {
  readonly secret: string
  readonly uri: string
}

function Enrol({ secret, uri, onKept }: Prepared & { onKept(): void }) {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  if (recoveryCodes)
    return (
      <Alert variant="light" color="teal" title={strings.recovery}>
        <Stack>
          <Text size="sm">{strings.recoveryAbout}</Text>
          <Code block>{recoveryCodes.join('\n')}</Code>
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={() => void queries.invalidateQueries({ queryKey: sessionKey }).then(onKept)}
            >
              {strings.done}
            </Button>
          </Group>
        </Stack>
      </Alert>
    )
  return (
    <QuickForm
      about={strings.totpAbout}
      label={strings.turnOn}
      send={() => publisher.turnTotpOn(code)}
      onSent={({ recovery_codes }) => setRecoveryCodes(recovery_codes)}
    >
      {(problem) => (
        <>
          <Copyable label={strings.totpSecret} text={secret} />
          <Anchor href={uri}>{strings.totpLink}</Anchor>
          <TextInput
            label={strings.code}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={problem}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        </>
      )}
    </QuickForm>
  )
}
