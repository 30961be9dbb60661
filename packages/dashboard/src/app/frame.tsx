import { Center } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useEndedSession } from '../data/ended-session.js'
import { SessionProvider, useSessionQuery } from '../data/session.js'
import { Failed } from '../ui/states.js'
import { Message } from './failures.js'
import { Opening } from './opening.js'
import { strings } from './strings.js'

const SignIn = lazy(async () => ({ default: (await import('../pages/sign-in/page.js')).Page }))
const SignInAgain = lazy(async () => ({ default: (await import('../pages/sign-in/again.js')).SignInAgain }))

/** Lets in who is signed in, and shows everybody else the way to sign in; the address stays what it was. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { data, error, isPending, isPaused, refetch } = useSessionQuery()
  if (isPending) return isPaused ? <Message {...strings.cutOff} /> : <Opening />
  if (data)
    return (
      <OneUser id={data.user._id}>
        <SessionProvider signedIn={data} withoutChannel={<Message {...strings.noChannel} />}>
          {children}
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

/** What is on the page belongs to one user. If another one has signed in, in this tab or in another, all of it goes. */
function OneUser({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const [first] = useState(id)
  return id === first ? children : <Reload />
}

function Reload() {
  useEffect(() => window.location.reload(), [])
  return <Opening />
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
