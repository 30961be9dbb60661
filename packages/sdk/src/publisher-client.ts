import type { CallOptions } from './client.js'
import type { Connection, RenewSession } from './options.js'
import type {
  AllVideos,
  ApiKey,
  AppSecrets,
  ChannelOfUser,
  Invitation,
  InvitationSeen,
  KeyKind,
  LoggedRequest,
  Member,
  Overview,
  PlayerSnippets,
  PublisherSession,
  RequestQuery,
  Role,
  SavedView,
  SignedInSession,
  Status,
} from './publisher.js'
import { createTransport, type Request } from './transport.js'
import type { PlayerWishes } from './watch-video.js'

/** The session that the caller has, once there is one; the cookie goes with each request by itself. */
interface PublisherOptions extends Connection {
  readonly csrfToken?: string
  readonly channelId?: string
  readonly renew?: RenewSession
}

/** The dashboard's own endpoints: signing in, and what only a signed-in publisher may do. For pages of the server's own origin. */
export function createPublisher({ csrfToken, channelId, renew, ...connection }: PublisherOptions) {
  const session = {
    ...(csrfToken && { 'x-csrf-token': csrfToken }),
    ...(channelId && { 'x-channel-id': channelId }),
  }
  const send = createTransport(connection, session, renew)
  const ask = async <T>(
    method: Request['method'],
    path: string,
    { body, query, signal }: { body?: unknown; query?: object; signal?: AbortSignal } = {},
  ): Promise<T> =>
    (await send({
      method,
      path: `/dashboard/api/${path}`,
      body,
      query: query as Request['query'],
      expects: 'json',
      signal,
    })) as T
  const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

  return {
    session: (options?: CallOptions) => ask<PublisherSession>('GET', 'session', options),
    signIn: (body: { email: string; password: string; totp?: string }) =>
      ask<PublisherSession>('POST', 'session', { body }),
    signOut: () => ask<void>('DELETE', 'session'),
    signOutEverywhere: () => ask<void>('DELETE', 'sessions'),
    sessions: () => ask<readonly SignedInSession[]>('GET', 'sessions'),
    changePassword: (body: { current_password: string; password: string }) =>
      ask<unknown>('PUT', 'password', { body }),
    prepareTotp: (password: string) =>
      ask<{ secret: string; uri: string }>('POST', 'totp', { body: { password } }),
    turnTotpOn: (code: string) =>
      ask<{ recovery_codes: readonly string[] }>('PUT', 'totp', { body: { code } }),
    turnTotpOff: (password: string) => ask<void>('DELETE', 'totp', { body: { password } }),
    /** Counts as freshly confirmed for five minutes, which revealing a key needs. */
    confirm: (password: string) => ask<void>('POST', 'confirm', { body: { password } }),
    keys: () => ask<readonly ApiKey[]>('GET', 'keys'),
    revealKey: (kind: KeyKind) => ask<{ key: string }>('POST', `${at('keys', kind)}/reveal`),
    rotateKey: (kind: KeyKind, overlapHours: number) =>
      ask<{ key: string }>('POST', `${at('keys', kind)}/rotate`, { body: { overlap_hours: overlapHours } }),
    /** The secrets of an app, whole; its record shows a part of them. */
    revealApp: (id: string) => ask<AppSecrets>('POST', `${at('apps', id)}/reveal`),
    rotateApp: (id: string, overlapHours: number) =>
      ask<AppSecrets>('POST', `${at('apps', id)}/rotate`, { body: { overlap_hours: overlapHours } }),
    /** Some of those who own the channel, by name: whom to ask for what one's role does not allow. */
    owners: (options?: CallOptions) => ask<readonly { readonly name: string }[]>('GET', 'owners', options),
    members: () => ask<readonly Member[]>('GET', 'members'),
    changeRole: (id: string, role: Role) => ask<unknown>('PUT', at('members', id), { body: { role } }),
    removeMember: (id: string) => ask<void>('DELETE', at('members', id)),
    invitations: () => ask<readonly Invitation[]>('GET', 'invitations'),
    invite: (body: { email: string; role: Role }) =>
      ask<{ link: string; expires_at: string }>('POST', 'invitations', { body }),
    withdrawInvitation: (id: string) => ask<void>('DELETE', at('invitations', id)),
    invitation: (token: string) => ask<InvitationSeen>('GET', at('invitation', token)),
    acceptInvitation: (token: string, body: { name?: string; password: string; totp?: string }) =>
      ask<PublisherSession>('POST', at('invitation', token), { body }),
    /** For whom the link is that the server prints until its first publisher has signed in. */
    welcome: (token: string) => ask<{ email: string }>('POST', 'welcome', { body: { token } }),
    acceptWelcome: (body: { token: string; email: string; password: string }) =>
      ask<PublisherSession>('PUT', 'welcome', { body }),
    createChannel: (name: string) => ask<ChannelOfUser>('POST', 'channels', { body: { name } }),
    /** What to paste into a page to have a video there. */
    player: async (videoId: string, wishes: PlayerWishes = {}) =>
      (await send({ method: 'GET', path: `/${at('videos', videoId)}/player`, query: wishes }))
        ?.response as PlayerSnippets,
    /** Makes the pictures of a video from an image. */
    setPoster: async (videoId: string, image: Blob): Promise<void> => {
      const body = new FormData()
      body.append('image', image)
      await send({ method: 'PUT', path: `/${at('videos', videoId)}/poster`, body })
    },
    requests: (query: RequestQuery = {}) => ask<readonly LoggedRequest[]>('GET', 'requests', { query }),
    overview: (options?: CallOptions) => ask<Overview>('GET', 'overview', options),
    /** How mail, storage and the making of video do. */
    status: (options?: CallOptions) => ask<Status>('GET', 'status', options),
    /** Sends a mail to whoever is signed in; rejects with what the mail server said. */
    sendTestMail: () => ask<{ to: string; delivered: boolean }>('POST', 'status/mail', { body: {} }),
    /** Deletes the channel with everything in it. Its name and a fresh password are needed. */
    deleteChannel: (name: string) => ask<void>('DELETE', 'channel', { body: { name } }),
    /** What is being done with all videos of the channel at once. */
    allVideos: (options?: CallOptions) => ask<AllVideos>('GET', 'all-videos', options),
    /** Has all videos deleted by a job of the server. Its name and a fresh password are needed. */
    deleteAllVideos: (name: string) => ask<AllVideos>('DELETE', 'all-videos', { body: { name } }),
    /** Has those brought back that were deleted together last. */
    restoreAllVideos: () => ask<AllVideos>('POST', 'all-videos', { body: {} }),
    /** The views of whoever is signed in, in this channel. */
    views: (options?: CallOptions) => ask<readonly SavedView[]>('GET', 'views', options),
    saveView: (body: Pick<SavedView, 'page' | 'name' | 'state'>) => ask<SavedView>('POST', 'views', { body }),
    changeView: (id: string, body: Partial<Pick<SavedView, 'name' | 'state'>>) =>
      ask<SavedView>('PUT', at('views', id), { body }),
    deleteView: (id: string) => ask<void>('DELETE', at('views', id)),
    /** Has a short film made, as a video to try things with. */
    makeSample: async () => (await ask<{ response: { _id: string } }>('POST', 'sample')).response,
  }
}

export type Publisher = ReturnType<typeof createPublisher>
