import type { KeyKind, PublisherAnswers, RequestQuery, Role, SavedView } from '@zoetrope/contract'
import type { CallOptions } from './client.js'
import type { Connection, RenewSession } from './options.js'
import type { PlayerWishes } from './player-frame.js'
import type { PlayerSnippets } from './publisher.js'
import { createTransport, type Request } from './transport.js'

/** The session of the caller, once there is one; the browser sends the cookie with each request. */
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

/** The dashboard's own endpoints: sign-in, and operations for signed-in publishers only. For pages of the server's own origin. */
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
    /** How publishers can sign in, before they have. */
    signInMethods: (options?: CallOptions) => ask('GET', '/sign-in', options),
    signIn: (body: { email: string; password: string; totp?: string }) => ask('POST', '/session', { body }),
    /** Mails a link for a new password to a publisher who has forgotten theirs. */
    forgotPassword: (email: string) => ask('POST', '/forgotten-password', { body: { email } }),
    setForgottenPassword: (body: { token: string; password: string }) =>
      ask('PUT', '/forgotten-password', { body }),
    signOut: () => ask('DELETE', '/session'),
    signOutEverywhere: () => ask('DELETE', '/sessions'),
    sessions: () => ask('GET', '/sessions'),
    changePassword: (body: { current_password: string; password: string }) =>
      ask('PUT', '/password', { body }),
    prepareTotp: (password: string) => ask('POST', '/totp', { body: { password } }),
    turnTotpOn: (code: string) => ask('PUT', '/totp', { body: { code } }),
    turnTotpOff: (password: string) => ask('DELETE', '/totp', { body: { password } }),
    /** For five minutes, what creates or widens access is then allowed, and secrets are shown. */
    confirm: (password: string) => ask('POST', '/confirm', { body: { password } }),
    keys: () => ask('GET', '/keys'),
    revealKey: (kind: KeyKind) => ask('POST', '/keys/:kind/reveal', { name: kind }),
    rotateKey: (kind: KeyKind, overlapHours: number) =>
      ask('POST', '/keys/:kind/rotate', { name: kind, body: { overlap_hours: overlapHours } }),
    /** The secrets of an app, whole; its record shows a part of them. */
    revealApp: (id: string) => ask('POST', '/apps/:id/reveal', { name: id }),
    rotateApp: (id: string, overlapHours: number) =>
      ask('POST', '/apps/:id/rotate', { name: id, body: { overlap_hours: overlapHours } }),
    /** Names of some owners of the channel, whom to ask about actions that one's role does not allow. */
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
    /** The account of the welcome link, which the server prints until the first publisher has signed in. */
    welcome: (token: string) => ask('POST', '/welcome', { body: { token } }),
    acceptWelcome: (body: { token: string; email: string; password: string }) =>
      ask('PUT', '/welcome', { body }),
    createChannel: (name: string) => ask('POST', '/channels', { body: { name } }),
    /** The snippets that embed a video in a page. */
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
    /** The state of mail, storage and encoding. */
    status: (options?: CallOptions) => ask('GET', '/status', options),
    /** Sends a test mail to the signed-in publisher; rejects with the mail server's error. */
    sendTestMail: () => ask('POST', '/status/mail', { body: {} }),
    /** Where the films of the installation are, and how a move of them goes on. */
    storage: (options?: CallOptions) => ask('GET', '/storage', options),
    /** Tries what the storage can do. */
    checkStorage: () => ask('POST', '/storage/check', { body: {} }),
    /** Begins to look for every file that the database names. */
    verifyStorage: () => ask('POST', '/storage/verify', { body: {} }),
    /** Deletes the channel with everything in it. Needs its name and a recently confirmed password. */
    deleteChannel: (name: string) => ask('DELETE', '/channel', { body: { name } }),
    /** The operation in progress on all videos of the channel. */
    allVideos: (options?: CallOptions) => ask('GET', '/all-videos', options),
    /** Starts a job that deletes all videos. Needs the channel's name and a recently confirmed password. */
    deleteAllVideos: (name: string) => ask('DELETE', '/all-videos', { body: { name } }),
    /** Restores the videos that were last deleted together. */
    restoreAllVideos: () => ask('POST', '/all-videos', { body: {} }),
    /** The saved views of the signed-in publisher in this channel. */
    views: (options?: CallOptions) => ask('GET', '/views', options),
    saveView: (body: Pick<SavedView, 'page' | 'name' | 'state'>) => ask('POST', '/views', { body }),
    changeView: (id: string, body: Partial<Pick<SavedView, 'name' | 'state'>>) =>
      ask('PUT', '/views/:id', { name: id, body }),
    deleteView: (id: string) => ask('DELETE', '/views/:id', { name: id }),
    /** Creates a sample video with a short film. */
    makeSample: async () => (await ask('POST', '/sample')).response,
  }
}

export type Publisher = ReturnType<typeof createPublisher>
