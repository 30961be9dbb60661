import { Alert, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Logo } from '../../app/logo.js'
import { sessionKey } from '../../data/session.js'
import { SignInForm } from './form.js'
import { strings } from './strings.js'

/** Why the identity provider could not sign the user in; the server puts it into the address. */
function problemInAddress(): string | undefined {
  const problem = new URLSearchParams(window.location.search).get('problem') ?? ''
  return Object.hasOwn(strings.problems, problem)
    ? strings.problems[problem as keyof typeof strings.problems]
    : undefined
}

/** The sign-in page. */
export function Page() {
  const problem = problemInAddress()
  const queries = useQueryClient()
  useEffect(() => {
    document.title = `${strings.title} · Zoetrope`
  }, [])
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw="24rem">
        <SignInForm
          heading={(needsCode) => (
            <Stack gap={4} align="center" ta="center">
              <Logo size={44} />
              <Title order={1} size="h3" mt="xs">
                {needsCode ? strings.codeTitle : strings.title}
              </Title>
              <Text c="dimmed" size="sm">
                {needsCode ? strings.codeAbout : strings.about}
              </Text>
              {problem && !needsCode && (
                <Alert color="red" variant="light" role="alert" ta="start" mt="xs" w="100%">
                  {problem}
                </Alert>
              )}
            </Stack>
          )}
          hint={strings.firstTime}
          onSignedIn={(session) => queries.setQueryData(sessionKey, session)}
        />
      </Paper>
    </Center>
  )
}
