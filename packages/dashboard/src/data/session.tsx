import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import {
  type ChannelOfUser,
  type Client,
  createClient,
  createPublisher,
  type Publisher,
  type PublisherSession,
  type RenewSession,
  ZoetropeError,
} from '@zoetrope/sdk'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { origin, visitor } from './api.js'
import { addressWithoutChannel, channelIn, linkedChannel } from './channel-address.js'
import { confirmation } from './confirmation.js'
import { endedSession } from './ended-session.js'
import { mayDo, type Need } from './may-do.js'
import { uploadList } from './upload-list.js'

/** The signed-in user, the current channel, and the clients for the server. */
export interface Session {
  readonly user: PublisherSession['user']
  readonly channels: readonly ChannelOfUser[]
  readonly channel: ChannelOfUser
  /** The API client for the channel. */
  readonly client: Client
  /** The dashboard's own endpoints. */
  readonly publisher: Publisher
  readonly csrfToken: string
  /** Whether the role may change anything. The server enforces it; this only hides what it would refuse. */
  readonly mayEdit: boolean
  /** Whether the role may do this, according to the contract. */
  may(need: Need): boolean
  chooseChannel(id: string): void
  /** For requests that neither `client` nor `publisher` sends. */
  readonly renew: RenewSession
  /** Ends the session and reloads the page. */
  signOut(where: 'here' | 'everywhere'): Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('This needs somebody who is signed in.')
  return session
}

export const useClient = (): Client => useSession().client

export const sessionKey = ['session'] as const

const isRefused = (error: unknown) => error instanceof ZoetropeError && error.status === 401

/**
 * The session of the cookie, or null if nobody is signed in. If the session has ended, the last known one, so that
 * the page stays and the sign-in dialog opens over it.
 */
const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal, client }): Promise<PublisherSession | null> => {
    const lastKnown = () => client.getQueryData<PublisherSession | null>(sessionKey) ?? null
    const before = lastKnown()
    const found = await visitor.session({ signal }).catch((error: unknown) => {
      if (!isRefused(error)) throw error
    })
    if (found) return found
    const known = lastKnown()
    // The user may have signed in again since the request was sent.
    if (known && known === before) endedSession.ask(false)
    return known
  },
  staleTime: 5 * 60_000,
  retry: 1,
})

export const useSessionQuery = () => useQuery(sessionQuery)

/**
 * Returns the CSRF token of the session that replaces an ended one, after asking the user to sign in if needed. If the server
 * wants the user to confirm the password, asks for it, and returns the token of the same session.
 * Throws if another user has signed in, so that a request never runs under the wrong account.
 */
function renewing(queries: QueryClient, { user, csrf_token: spent }: PublisherSession): RenewSession {
  const tokenNow = (now: PublisherSession | null | undefined, refused: ZoetropeError) => {
    if (now?.user._id !== user._id) throw refused
    return now.csrf_token
  }
  return async (refused, method) => {
    if (refused.code === 'confirm_required') {
      await confirmation.ask()
      return spent
    }
    const now = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
    if (now?.csrf_token !== spent) return tokenNow(now, refused)
    // The session is still valid, so the request was refused for another reason.
    if (endedSession.get() === 'none') throw refused
    await endedSession.over(method !== 'GET').catch(() => {
      throw refused
    })
    return tokenNow(queries.getQueryData<PublisherSession | null>(sessionKey), refused)
  }
}

const rememberedChannel = 'zoetrope.channel'

/** The channel that the address names. If it names none: the current one, the last chosen one, or the first one. */
function chosenChannel(
  channels: readonly ChannelOfUser[],
  named: string | undefined,
): ChannelOfUser | undefined {
  const withId = (id: string | null | undefined) => channels.find(({ _id }) => _id === id)
  if (named) return withId(named)
  return withId(linkedChannel.get()) ?? withId(localStorage.getItem(rememberedChannel)) ?? channels[0]
}

const isOfOtherThan =
  (channelId: string) =>
  ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    typeof queryKey[1] === 'string' && queryKey[1] !== channelId

/** The address once more, with the channel that links name now. */
const sameAddress = { to: '.', search: true, hash: true, replace: true, ignoreBlocker: true } as const

interface ProviderProps {
  readonly signedIn: PublisherSession
  readonly withoutChannel: ReactNode
  /** Shown if the address names a channel that the user does not belong to. */
  readonly otherChannel: ReactNode
  readonly children: ReactNode
}

export function SessionProvider({ signedIn, withoutChannel, otherChannel, children }: ProviderProps) {
  const queries = useQueryClient()
  const router = useRouter()
  const named = useLocation({ select: ({ publicHref }) => channelIn(publicHref) })
  const { user, channels, csrf_token: csrfToken } = signedIn
  const channel = chosenChannel(channels, named)
  const channelId = channel?._id
  // Before the pages are drawn, because their links name it.
  linkedChannel.set(channelId)
  useEffect(() => {
    if (!channelId) return
    localStorage.setItem(rememberedChannel, channelId)
    // Data of one channel must never appear in another.
    queries.removeQueries({ predicate: isOfOtherThan(channelId) })
    if (!named) void router.navigate(sameAddress)
  }, [channelId, named, queries, router])
  const session = useMemo<Session | undefined>(() => {
    if (!channel) return undefined
    const renew = renewing(queries, signedIn)
    const publisher = createPublisher({ url: origin, csrfToken, channelId: channel._id, renew })
    return {
      user,
      channels,
      channel,
      csrfToken,
      publisher,
      client: createClient({ url: origin, session: { channelId: channel._id, csrfToken, renew } }),
      renew,
      mayEdit: mayDo(channel.role, ['videos', 'update']),
      may: (need) => mayDo(channel.role, need),
      chooseChannel(id) {
        linkedChannel.set(id)
        void router.navigate(sameAddress)
      },
      async signOut(where) {
        const leaving = createPublisher({ url: origin, csrfToken })
        const left = where === 'here' ? leaving.signOut() : leaving.signOutEverywhere()
        await left.catch((error: unknown) => {
          // If the session has already ended, the user is already signed out.
          if (!isRefused(error)) throw error
        })
        endedSession.forget()
        // Leaves nothing in the tab for the next user.
        uploadList.clear()
        // The next user may not belong to the channel in the address.
        const { pathname, search, hash } = window.location
        window.history.replaceState(null, '', `${addressWithoutChannel(pathname)}${search}${hash}`)
        window.location.reload()
      },
    }
  }, [signedIn, user, channels, channel, csrfToken, queries, router])
  if (!session) return channels.length > 0 ? otherChannel : withoutChannel
  return (
    <SessionContext key={session.channel._id} value={session}>
      {children}
    </SessionContext>
  )
}
