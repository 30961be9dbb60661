import {
  Alert,
  Anchor,
  Button,
  Center,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ZoetropeError } from '@zoetrope/sdk'
import { type SubmitEvent, useEffect, useState } from 'react'
import { Logo } from '../../app/logo.js'
import { visitor } from '../../data/api.js'
import { sessionKey } from '../../data/session.js'
import { explain } from '../../ui/states.js'
import { strings } from './strings.js'

const wantsCode = (error: unknown) => error instanceof ZoetropeError && error.code === 'totp_required'

/** E-mail address and password, then the code for those who set one up. */
export function Page() {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [totp, setTotp] = useState('')
  useEffect(() => {
    document.title = `${strings.title} · Zoetrope`
  }, [])
  const signIn = useMutation({
    mutationFn: (hasCode: boolean) => visitor.signIn({ email, password, ...(hasCode ? { totp } : {}) }),
    onSuccess: (session) => queries.setQueryData(sessionKey, session),
    onError: (error) => {
      if (wantsCode(error)) setNeedsCode(true)
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    signIn.mutate(needsCode)
  }
  const startOver = () => {
    setNeedsCode(false)
    setTotp('')
    setPassword('')
    signIn.reset()
  }
  // Being asked for the code is no failure; a wrong one is.
  const isAsked = wantsCode(signIn.error) && !signIn.variables
  const problem = signIn.error && !isAsked ? explain(signIn.error).about : undefined
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper
        withBorder
        shadow="sm"
        p="xl"
        w="100%"
        maw="24rem"
        component="form"
        onSubmit={submit}
        method="post"
      >
        <Stack>
          <Stack gap={4} align="center" ta="center">
            <Logo size={44} />
            <Title order={1} size="h3" mt="xs">
              {needsCode ? strings.codeTitle : strings.title}
            </Title>
            <Text c="dimmed" size="sm">
              {needsCode ? strings.codeAbout : strings.about}
            </Text>
          </Stack>
          {problem && (
            <Alert color="red" variant="light" role="alert">
              {problem}
            </Alert>
          )}
          {needsCode ? (
            <TextInput
              key="code"
              label={strings.code}
              value={totp}
              onChange={(event) => setTotp(event.currentTarget.value)}
              autoComplete="one-time-code"
              autoFocus
              required
              withAsterisk={false}
            />
          ) : (
            <>
              <TextInput
                label={strings.email}
                type="email"
                name="email"
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
                autoComplete="username"
                autoFocus
                required
                withAsterisk={false}
              />
              <PasswordInput
                label={strings.password}
                name="password"
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
                autoComplete="current-password"
                required
                withAsterisk={false}
              />
            </>
          )}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {needsCode ? strings.verify : strings.submit}
          </Button>
          {needsCode ? (
            <Anchor component="button" type="button" size="sm" ta="center" onClick={startOver}>
              {strings.back}
            </Anchor>
          ) : (
            <Text size="xs" c="dimmed" ta="center">
              {strings.firstTime}
            </Text>
          )}
        </Stack>
      </Paper>
    </Center>
  )
}
