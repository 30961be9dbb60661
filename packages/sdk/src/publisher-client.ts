import type { KeyKind, PublisherAnswers, RequestQuery, Role, SavedView } from '@zoetrope/contract'
import type { CallOptions } from './client.js'
import type { Connection, RenewSession } from './options.js'
import type { PlayerSnippets } from './publisher.js'
import { createTransport, type Request } from './transport.js'
import type { PlayerWishes } from './watch-video.js'

/** The session that the caller has, once there is one; the cookie goes with each request by itself. */
interface PublisherOptions extends Connection {
  readonly csrfToken?: string
  readonly channelId?: string
  readonly renew?: RenewSession
}

interface Asked {
  readonly name?: string
  readonly body?: unknown
  readonly query?: object
  readonly signal?: AbortSignal
}

/** The dashboard's own endpoints: signing in, and what only a signed-in publisher may do. For pages of the server's own origin. */
export function createPublisher({ csrfToken, channelId, renew, ...connection }: PublisherOptions) {
  const session = {
    ...(csrfToken && { 'x-csrf-token': csrfToken }),
    ...(channelId && { 'x-channel-id': channelId }),
  }
  const send = createTransport(connection, session, renew)
  /** `name` replaces the parameter of the path. */
  const ask = async <
    P extends keyof PublisherAnswers,
    M extends keyof PublisherAnswers[P] & Request['method'],
  >(
    method: M,
    path: P,
    { name = '', body, query, signal }: Asked = {},
  ): Promise<PublisherAnswers[P][M]> =>
    (await send({
      method,
      path: `/dashboard/api${path.replace(/:\w+/, () => encodeURIComponent(name))}`,
      body,
      query: query as Request['query'],
      expects: 'json',
      signal,
    })) as PublisherAnswers[P][M]
  const videoPath = (id: string, rest: string) => `/videos/${encodeURIComponent(id)}/${rest}`

  return {
    session: (options?: CallOptions) => ask('GET', '/session', options),
    signIn: (body: { email: string; password: string; totp?: string }) => ask('POST', '/session', { body }),
    signOut: () => ask('DELETE', '/session'),
    signOutEverywhere: () => ask('DELETE', '/sessions'),
    sessions: () => ask('GET', '/sessions'),
    changePassword: (body: { current_password: string; password: string }) =>
      ask('PUT', '/password', { body }),
    prepareTotp: (password: string) => ask('POST', '/totp', { body: { password } }),
    turnTotpOn: (code: string) => ask('PUT', '/totp', { body: { code } }),
    turnTotpOff: (password: string) => ask('DELETE', '/totp', { body: { password } }),
    /** Counts as freshly confirmed for five minutes, which revealing a key needs. */
    confirm: (password: string) => ask('POST', '/confirm', { body: { password } }),
    keys: () => ask('GET', '/keys'),
    revealKey: (kind: KeyKind) => ask('POST', '/keys/:kind/reveal', { name: kind }),
    rotateKey: (kind: KeyKind, overlapHours: number) =>
      ask('POST', '/keys/:kind/rotate', { name: kind, body: { overlap_hours: overlapHours } }),
    /** The secrets of an app, whole; its record shows a part of them. */
    revealApp: (id: string) => ask('POST', '/apps/:id/reveal', { name: id }),
    rotateApp: (id: string, overlapHours: number) =>
      ask('POST', '/apps/:id/rotate', { name: id, body: { overlap_hours: overlapHours } }),
    /** Some of those who own the channel, by name: whom to ask for what one's role does not allow. */
    owners: (options?: CallOptions) => ask('GET', '/owners', options),
    members: () => ask('GET', '/members'),
    changeRole: (id: string, role: Role) => ask('PUT', '/members/:id', { name: id, body: { role } }),
    removeMember: (id: string) => ask('DELETE', '/members/:id', { name: id }),
    invitations: () => ask('GET', '/invitations'),
    invite: (body: { email: string; role: Role }) => ask('POST', '/invitations', { body }),
    withdrawInvitation: (id: string) => ask('DELETE', '/invitations/:id', { name: id }),
    invitation: (token: string) => ask('GET', '/invitation/:token', { name: token }),
    acceptInvitation: (token: string, body: { name?: string; password: string; totp?: string }) =>
      ask('POST', '/invitation/:token', { name: token, body }),
    /** For whom the link is that the server prints until its first publisher has signed in. */
    welcome: (token: string) => ask('POST', '/welcome', { body: { token } }),
    acceptWelcome: (body: { token: string; email: string; password: string }) =>
      ask('PUT', '/welcome', { body }),
    createChannel: (name: string) => ask('POST', '/channels', { body: { name } }),
    /** What to paste into a page to have a video there. */
    player: async (videoId: string, wishes: PlayerWishes = {}) =>
      (await send({ method: 'GET', path: videoPath(videoId, 'player'), query: wishes }))
        ?.response as PlayerSnippets,
    /** Makes the pictures of a video from an image. */
    setPoster: async (videoId: string, image: Blob): Promise<void> => {
      const body = new FormData()
      body.append('image', image)
      await send({ method: 'PUT', path: videoPath(videoId, 'poster'), body })
    },
    requests: (query: RequestQuery = {}) => ask('GET', '/requests', { query }),
    overview: (options?: CallOptions) => ask('GET', '/overview', options),
    /** How mail, storage and the making of video do. */
    status: (options?: CallOptions) => ask('GET', '/status', options),
    /** Sends a mail to whoever is signed in; rejects with what the mail server said. */
    sendTestMail: () => ask('POST', '/status/mail', { body: {} }),
    /** Deletes the channel with everything in it. Its name and a fresh password are needed. */
    deleteChannel: (name: string) => ask('DELETE', '/channel', { body: { name } }),
    /** What is being done with all videos of the channel at once. */
    allVideos: (options?: CallOptions) => ask('GET', '/all-videos', options),
    /** Has all videos deleted by a job of the server. Its name and a fresh password are needed. */
    deleteAllVideos: (name: string) => ask('DELETE', '/all-videos', { body: { name } }),
    /** Has those brought back that were deleted together last. */
    restoreAllVideos: () => ask('POST', '/all-videos', { body: {} }),
    /** The views of whoever is signed in, in this channel. */
    views: (options?: CallOptions) => ask('GET', '/views', options),
    saveView: (body: Pick<SavedView, 'page' | 'name' | 'state'>) => ask('POST', '/views', { body }),
    changeView: (id: string, body: Partial<Pick<SavedView, 'name' | 'state'>>) =>
      ask('PUT', '/views/:id', { name: id, body }),
    deleteView: (id: string) => ask('DELETE', '/views/:id', { name: id }),
    /** Has a short film made, as a video to try things with. */
    makeSample: async () => (await ask('POST', '/sample')).response,
  }
}

export type Publisher = ReturnType<typeof createPublisher>
