import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../data/session.js'
import { useSignInMethods } from '../../data/sign-in-methods.js'
import { QuickForm } from '../../ui/form-dialog.js'
import { sayDone } from '../../ui/notices.js'
import { fromNow } from '../../ui/numbers.js'
import { PageLayout } from '../../ui/page.js'
import { Section } from '../../ui/section.js'
import { SignOut } from '../../ui/sign-out.js'
import { Loaded } from '../../ui/states.js'
import { useNow } from '../../ui/use-now.js'
import { Authenticator } from './authenticator.js'
import { strings } from './strings.js'

/** The user's own password, sessions and second factor. */
export function Page() {
  const { user } = useSession()
  const { data } = useSignInMethods()
  return (
    <PageLayout title={strings.title} about={user.email} maw="44rem">
      {user.has_password ? (
        <>
          <Section title={strings.password}>
            <PasswordForm />
          </Section>
          <Section title={strings.totp}>
            <Authenticator />
          </Section>
        </>
      ) : (
        <Section title={strings.signIn}>
          <Text size="sm">{strings.signInElsewhere(data?.provider ?? strings.provider)}</Text>
        </Section>
      )}
      <Section title={strings.sessions}>
        <Sessions />
      </Section>
    </PageLayout>
  )
}

function PasswordForm() {
  const { publisher } = useSession()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  return (
    <QuickForm
      label={strings.change}
      send={() => publisher.changePassword({ current_password: current, password: next })}
      onSent={() => {
        sayDone(strings.changed)
        setCurrent('')
        setNext('')
      }}
    >
      {(problem) => (
        <>
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
            error={problem}
            autoComplete="new-password"
            required
          />
        </>
      )}
    </QuickForm>
  )
}

function Sessions() {
  const { publisher } = useSession()
  const now = useNow()
  const query = useQuery({ queryKey: ['own-sessions'], queryFn: () => publisher.sessions() })
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
                {strings.lastUsed(fromNow(last_used_at, now), address ?? '–')}
              </Text>
            </div>
          ))}
          <Group justify="flex-end">
            <SignOut where="everywhere">
              {(signOut) => (
                <Button variant="default" onClick={signOut}>
                  {strings.everywhere}
                </Button>
              )}
            </SignOut>
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}
