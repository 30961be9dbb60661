import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type ChannelOfUser,
  type Client,
  createClient,
  createPublisher,
  type Publisher,
  type PublisherSession,
  ZoetropeError,
} from '@zoetrope/sdk'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { origin, visitor } from './api.js'

/** Who is signed in, in which channel, and what they call the server with. */
export interface Session {
  readonly user: PublisherSession['user']
  readonly channels: readonly ChannelOfUser[]
  readonly channel: ChannelOfUser
  /** The API, acting on the channel. */
  readonly client: Client
  /** The dashboard's own endpoints. */
  readonly publisher: Publisher
  readonly csrfToken: string
  /** Whether the role lets the user change anything; the server decides, this only hides what it would refuse. */
  readonly mayEdit: boolean
  readonly isOwner: boolean
  chooseChannel(id: string): void
  signOut(): Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('This needs somebody who is signed in.')
  return session
}

export const useClient = (): Client => useSession().client

export const sessionKey = ['session'] as const

/** The session of the cookie; null when nobody is signed in. */
export function useSessionQuery() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }): Promise<PublisherSession | null> =>
      visitor.session({ signal }).catch((error: unknown) => {
        if (error instanceof ZoetropeError && error.status === 401) return null
        throw error
      }),
    staleTime: 5 * 60_000,
    retry: 1,
  })
}

const rememberedChannel = 'zoetrope.channel'

/** The channel chosen last, if the user still has it. */
function firstChannel(channels: readonly ChannelOfUser[]): ChannelOfUser | undefined {
  const last = localStorage.getItem(rememberedChannel)
  return channels.find(({ _id }) => _id === last) ?? channels[0]
}

const isOfChannel = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== sessionKey[0]

interface ProviderProps {
  readonly signedIn: PublisherSession
  readonly withoutChannel: ReactNode
  readonly children: ReactNode
}

export function SessionProvider({ signedIn, withoutChannel, children }: ProviderProps) {
  const queries = useQueryClient()
  const { user, channels, csrf_token: csrfToken } = signedIn
  const [chosen, setChosen] = useState<string>()
  const channel = channels.find(({ _id }) => _id === chosen) ?? firstChannel(channels)
  const session = useMemo<Session | undefined>(() => {
    if (!channel) return undefined
    const publisher = createPublisher({ url: origin, csrfToken, channelId: channel._id })
    return {
      user,
      channels,
      channel,
      csrfToken,
      publisher,
      client: createClient({ url: origin, session: { channelId: channel._id, csrfToken } }),
      mayEdit: channel.role !== 'viewer',
      isOwner: channel.role === 'owner',
      chooseChannel(id) {
        localStorage.setItem(rememberedChannel, id)
        // Nothing of one channel is ever shown in another.
        queries.removeQueries({ predicate: isOfChannel })
        setChosen(id)
      },
      async signOut() {
        await publisher.signOut()
        queries.removeQueries({ predicate: isOfChannel })
        queries.setQueryData(sessionKey, null)
      },
    }
  }, [user, channels, channel, csrfToken, queries])
  if (!session) return withoutChannel
  return (
    <SessionContext key={session.channel._id} value={session}>
      {children}
    </SessionContext>
  )
}
