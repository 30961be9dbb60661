import { Center } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { SessionProvider, useSessionQuery } from '../data/session.js'
import { Failed } from '../ui/states.js'
import { Message } from './failures.js'
import { Opening } from './opening.js'
import { strings } from './strings.js'

const SignIn = lazy(async () => ({ default: (await import('../pages/sign-in/page.js')).Page }))

/** Lets in who is signed in, and shows everybody else the way to sign in; the address stays what it was. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { data, error, isPending, isPaused, refetch } = useSessionQuery()
  if (isPending) return isPaused ? <Message {...strings.cutOff} /> : <Opening />
  if (data)
    return (
      <SessionProvider signedIn={data} withoutChannel={<Message {...strings.noChannel} />}>
        {children}
      </SessionProvider>
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
