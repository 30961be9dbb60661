import { Center, Paper, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Logo } from '../../app/logo.js'
import { sessionKey } from '../../data/session.js'
import { SignInForm } from './form.js'
import { strings } from './strings.js'

/** The sign-in page. */
export function Page() {
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
            </Stack>
          )}
          hint={strings.firstTime}
          onSignedIn={(session) => queries.setQueryData(sessionKey, session)}
        />
      </Paper>
    </Center>
  )
}
