import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { sessionKey, useSession } from '../../data/session.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { fromNow } from '../../ui/numbers.js'
import { PageLayout } from '../../ui/page.js'
import { explain, Loaded } from '../../ui/states.js'
import { Authenticator } from './authenticator.js'
import { strings } from './strings.js'

/** One's own password, sessions and second factor. */
export function Page() {
  const { user } = useSession()
  return (
    <PageLayout title={strings.title} about={user.email} maw="44rem">
      <Section title={strings.password}>
        <PasswordForm />
      </Section>
      <Section title={strings.totp}>
        <Authenticator />
      </Section>
      <Section title={strings.sessions}>
        <Sessions />
      </Section>
    </PageLayout>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Paper withBorder p="lg" component="section" aria-label={title}>
    <Title order={2} size="h4" mb="md">
      {title}
    </Title>
    {children}
  </Paper>
)

function PasswordForm() {
  const { publisher } = useSession()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const changing = useMutation({
    mutationFn: () => publisher.changePassword({ current_password: current, password: next }),
    onSuccess: () => {
      sayDone(strings.changed)
      setCurrent('')
      setNext('')
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    changing.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label={strings.current}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          autoComplete="current-password"
          required
        />
        <PasswordInput
          label={strings.next}
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          error={changing.error ? explain(changing.error).about : undefined}
          autoComplete="new-password"
          required
        />
        <Group justify="flex-end">
          <Button type="submit" loading={changing.isPending}>
            {strings.change}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Sessions() {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const query = useQuery({ queryKey: ['own-sessions'], queryFn: () => publisher.sessions() })
  const ending = useMutation({
    mutationFn: () => publisher.signOutEverywhere(),
    onSuccess: () => {
      sayDone(strings.signedOut)
      queries.setQueryData(sessionKey, null)
    },
    onError: (error) => sayFailed(strings.failed, error),
  })
  return (
    <Loaded query={query}>
      {(sessions) => (
        <Stack>
          {sessions.map(({ _id, browser, address, last_used_at, current }) => (
            <div key={_id}>
              <Text fw={500} lineClamp={1}>
                {browser || strings.unknown} {current && `(${strings.here})`}
              </Text>
              <Text size="sm" c="dimmed">
                {strings.lastUsed(fromNow(last_used_at), address ?? '–')}
              </Text>
            </div>
          ))}
          <Group justify="flex-end">
            <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
              {strings.everywhere}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}
