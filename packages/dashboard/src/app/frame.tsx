import { Anchor, Center } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useConfirmationAsked } from '../data/confirmation.js'
import { useEndedSession } from '../data/ended-session.js'
import { SessionProvider, useSessionQuery } from '../data/session.js'
import { Failed } from '../ui/states.js'
import { Message } from './failures.js'
import { Opening } from './opening.js'
import { strings } from './strings.js'

const SignIn = lazy(async () => ({ default: (await import('../pages/sign-in/page.js')).Page }))
const SignInAgain = lazy(async () => ({ default: (await import('../pages/sign-in/again.js')).SignInAgain }))

const ConfirmPassword = lazy(async () => ({
  default: (await import('../ui/confirm-password.js')).ConfirmPassword,
}))

/** Shows the dashboard to signed-in users and the sign-in page to everyone else, without changing the URL. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { data, error, isPending, isPaused, refetch } = useSessionQuery()
  if (isPending) return isPaused ? <Message {...strings.cutOff} /> : <Opening />
  if (data)
    return (
      <OneUser id={data.user._id}>
        <SessionProvider
          signedIn={data}
          withoutChannel={<Message {...strings.noChannel} />}
          otherChannel={<OtherChannel email={data.user.email} />}
        >
          {children}
          <Confirmation />
        </SessionProvider>
        <Ended email={data.user.email} />
      </OneUser>
    )
  if (error)
    return (
      <Center h="100dvh" p="md">
        <Failed error={error} onRetry={() => void refetch()} />
      </Center>
    )
  return (
    <Suspense fallback={<Opening />}>
      <SignIn />
    </Suspense>
  )
}

/** The link leads away from the channel in the address, to one of the user's own. */
const OtherChannel = ({ email }: { readonly email: string }) => (
  <Message title={strings.otherChannel.title} about={strings.otherChannel.about(email)}>
    <Anchor href="/dashboard">{strings.otherChannel.back}</Anchor>
  </Message>
)

/** The page belongs to one user. If another user signs in, in this tab or another, everything is discarded. */
function OneUser({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const [first] = useState(id)
  return id === first ? children : <Reload />
}

function Reload() {
  useEffect(() => window.location.reload(), [])
  return <Opening />
}

function Confirmation() {
  const isAsked = useConfirmationAsked()
  // Loaded when it is first needed, and then left in place, so that closing it is animated like every dialog.
  const [wasAsked, setWasAsked] = useState(isAsked)
  if (isAsked && !wasAsked) setWasAsked(true)
  if (!wasAsked) return null
  return (
    <Suspense>
      <ConfirmPassword />
    </Suspense>
  )
}

function Ended({ email }: { readonly email: string }) {
  const ending = useEndedSession()
  if (ending === 'none') return null
  return (
    <Suspense>
      <SignInAgain email={email} isAsked={ending === 'asked'} />
    </Suspense>
  )
}
