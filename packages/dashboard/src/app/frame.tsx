import { Center, Loader } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { SessionProvider, useSessionQuery } from '../data/session.js'
import { Failed } from '../ui/states.js'
import { Message } from './failures.js'
import { strings } from './strings.js'

const SignIn = lazy(async () => ({ default: (await import('../pages/sign-in/page.js')).Page }))

const Opening = () => (
  <Center h="100dvh" role="status" aria-label={strings.starting}>
    <Loader />
  </Center>
)

/** Lets in who is signed in, and shows everybody else the way to sign in; the address stays what it was. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { data, error, isPending, refetch } = useSessionQuery()
  if (isPending) return <Opening />
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
