import { Alert, Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ZoetropeError } from '@zoetrope/sdk'
import { type SubmitEvent, useEffect, useState } from 'react'
import { Sheet } from '../../app/sheet.js'
import { visitor } from '../../data/api.js'
import { sessionKey } from '../../data/session.js'
import { EmailInput } from '../../ui/email-input.js'
import { explain, Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

/**
 * The page that the link opens which the server prints until the first publisher has signed in. The token is in the
 * fragment.
 */
export function Page() {
  const [token] = useState(() => window.location.hash.slice(1))
  const query = useQuery({
    queryKey: ['welcome'],
    queryFn: () =>
      visitor.welcome(token).catch((error: unknown) => {
        if (error instanceof ZoetropeError && (error.status === 404 || error.status === 422)) return null
        throw error
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    document.title = `${strings.title} · Zoetrope`
  }, [])
  return (
    <Loaded query={query}>
      {(found) =>
        found ? (
          <Enter token={token} email={found.email} />
        ) : (
          <Sheet title={strings.gone} about={strings.goneAbout}>
            <Anchor component={Link} to="/" ta="center">
              {strings.signIn}
            </Anchor>
          </Sheet>
        )
      }
    </Loaded>
  )
}

function Enter({ token, email: known }: { readonly token: string; readonly email: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const entering = useMutation({
    mutationFn: () => visitor.acceptWelcome({ token, email, password }),
    onSuccess: async (session) => {
      queries.setQueryData(sessionKey, session)
      // Replaces the history entry, because the link works only once.
      await navigate({ to: '/', replace: true })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    entering.mutate()
  }
  return (
    <Sheet title={strings.title} about={strings.about}>
      <form onSubmit={submit} method="post">
        <Stack>
          {entering.error && (
            <Alert color="red" variant="light" role="alert">
              {explain(entering.error).about}
            </Alert>
          )}
          <EmailInput
            description={strings.emailAbout}
            value={email}
            onChange={setEmail}
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
          />
          <PasswordInput
            label={strings.password}
            description={strings.passwordAbout}
            name="password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="new-password"
            minLength={8}
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={entering.isPending} fullWidth>
            {strings.enter}
          </Button>
        </Stack>
      </form>
    </Sheet>
  )
}
