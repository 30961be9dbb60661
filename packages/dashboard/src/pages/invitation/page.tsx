import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type InvitationSeen, ZoetropeError } from '@zoetrope/sdk'
import { type SubmitEvent, useEffect, useState } from 'react'
import { Sheet } from '../../app/sheet.js'
import { visitor } from '../../data/api.js'
import { sessionKey } from '../../data/session.js'
import { explain, Loaded } from '../../ui/states.js'
import { strings as common } from '../../ui/strings.js'
import { strings } from './strings.js'

/** The page that an invitation link opens. */
export function Page() {
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () =>
      visitor.invitation(token).catch((error: unknown) => {
        if (error instanceof ZoetropeError && error.status === 404) return null
        throw error
      }),
  })
  useEffect(() => {
    document.title = `${strings.title} · Zoetrope`
  }, [])
  return (
    <Loaded query={query}>
      {(invitation) =>
        invitation ? (
          <Accept token={token} invitation={invitation} />
        ) : (
          <Sheet title={strings.gone} about={strings.goneAbout} />
        )
      }
    </Loaded>
  )
}

interface AcceptProps {
  readonly token: string
  readonly invitation: InvitationSeen
}

function Accept({ token, invitation }: AcceptProps) {
  const { channel, role, email } = invitation
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [totp, setTotp] = useState('')
  const accepting = useMutation({
    mutationFn: () =>
      visitor.acceptInvitation(token, {
        password,
        ...(name ? { name } : {}),
        ...(totp ? { totp } : {}),
      }),
    onSuccess: async (session) => {
      queries.setQueryData(sessionKey, session)
      await navigate({ to: '/' })
    },
  })
  const needsCode =
    totp !== '' || (accepting.error instanceof ZoetropeError && accepting.error.code === 'totp_required')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    accepting.mutate()
  }
  return (
    <Sheet title={strings.title} about={strings.about(channel, common.roles[role])}>
      <form onSubmit={submit} method="post">
        <Stack>
          {accepting.error && (
            <Alert color="red" variant="light" role="alert">
              {explain(accepting.error).about}
            </Alert>
          )}
          <TextInput label={strings.email} value={email} readOnly autoComplete="username" />
          <PasswordInput
            label={strings.password}
            description={strings.passwordAbout}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
          />
          <TextInput
            label={strings.name}
            description={strings.nameAbout}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="name"
          />
          {needsCode && (
            <TextInput
              label={strings.code}
              value={totp}
              onChange={(event) => setTotp(event.currentTarget.value)}
              autoComplete="one-time-code"
              required
            />
          )}
          <Button type="submit" loading={accepting.isPending} fullWidth>
            {strings.join}
          </Button>
        </Stack>
      </form>
    </Sheet>
  )
}
