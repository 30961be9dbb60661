import type { Role } from './caller-kinds.js'
import type { StorageFacts } from './storage-facts.js'

/** What the dashboard's own endpoints return: publishers, their channels, keys and colleagues. */

export type KeyKind = 'admin' | 'player' | 'read_only'

export interface PublisherSession {
  readonly user: {
    readonly _id: string
    readonly email: string
    readonly name: string | null
    readonly totp_enabled: boolean
    readonly password_changed_at: string | null
    /** False for people who only sign in with an identity provider. */
    readonly has_password: boolean
  }
  readonly channels: readonly ChannelOfUser[]
  readonly csrf_token: string
}

/** How publishers can sign in to this installation. */
export interface SignInMethods {
  /** The name of its identity provider, if it has one. */
  readonly provider: string | null
  readonly passwords: boolean
  /** Whether the server can mail a link for a new password. */
  readonly mail: boolean
  /** Nobody has signed in to this server yet. */
  readonly is_new: boolean
}

export interface ChannelOfUser {
  readonly _id: string
  readonly name: string
  readonly role: Role
  /** The number of a list's first page in the channel's API. */
  readonly first_page: number
}

export interface SignedInSession {
  readonly _id: string
  readonly created_at: string
  readonly last_used_at: string
  readonly address: string | null
  readonly browser: string | null
  readonly current: boolean
}

export interface ApiKey {
  readonly kind: KeyKind
  readonly masked: string
  readonly last_used_at: string | null
  readonly created_at: string
  /** Until when the previous key is accepted. */
  readonly previous_until: string | null
}

export interface AppSecrets {
  readonly app_key: string
  readonly client_secret: string
}

export interface Member {
  readonly _id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly created_at: string
  readonly last_sign_in_at: string | null
  readonly totp_enabled: boolean
  /** Whether it is the publisher who asks. */
  readonly you: boolean
}

export interface Invitation {
  readonly _id: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
  readonly expires_at: string
}

/** An invitation that was just made. The link is shown only here, or null if it was mailed to the address. */
export interface NewInvitation extends Omit<Invitation, 'created_at'> {
  readonly link: string | null
}

/** What the person sees who was sent the link. */
export interface InvitationSeen {
  readonly email: string
  readonly role: Role
  readonly channel: string
  readonly expires_at: string
}

export interface LoggedRequest {
  readonly _id: string
  readonly created_at: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly credential: string | null
  readonly request_id: string
}

export interface RequestQuery {
  readonly status?: string
  readonly method?: string
  readonly path?: string
  readonly credential?: string
  /** The id of the last request of the previous page. */
  readonly before?: string
}

/** A few videos by name, and how many there are. */
export interface SomeVideos {
  readonly count: number
  readonly videos: readonly {
    readonly _id: string
    readonly title: string
    /** Why it failed; only for failed videos. */
    readonly status_reason?: string | null
  }[]
}

export interface PlaySum {
  readonly plays: number
  readonly watched_seconds: number
}

/** The storage that a channel uses. */
interface Stored {
  /** Uploaded files, images, and what uploads in progress have announced. */
  readonly bytes: number
  /** What was made from them: all formats, and their sound. */
  readonly made_bytes: number
  /** How large `bytes` may become; null if there is no limit. */
  readonly limit_bytes: number | null
}

/** A channel at a glance. */
export interface Overview {
  readonly attention: {
    readonly failed: SomeVideos
    readonly waiting: SomeVideos
    readonly expiring: SomeVideos
  }
  readonly storage: Stored
  readonly encoding: SomeVideos
  /** The newest videos. */
  readonly uploads: readonly {
    readonly _id: string
    readonly title: string
    readonly status: string
    readonly active: boolean
    readonly duration: number | null
    readonly created_at: string
    readonly thumbnail_url: string | null
  }[]
  readonly plays: {
    readonly last_7_days: PlaySum
    readonly last_28_days: PlaySum
    readonly by_day: readonly (PlaySum & { readonly date: string })[]
  }
}

/** How a publisher likes to see a list: filters, order and layout, under a name of their own. */
export interface SavedView {
  readonly _id: string
  readonly page: 'videos'
  readonly name: string
  readonly state: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly updated_at: string
}

/** What the server does with all videos of a channel at once. */
export interface AllVideos {
  readonly running: 'deleting' | 'restoring' | null
  /** While nothing runs: the videos that were deleted together last and can be brought back. */
  readonly deleted: { readonly at: string; readonly count: number } | null
}

/** The state of the installation, as far as it concerns a channel. */
export interface Status {
  /** What else is wrong, and what the operator can do about it. */
  readonly problems: readonly string[]
  readonly mail: { readonly configured: boolean; readonly from: string }
  /** Why rules about countries refuse every viewer. */
  readonly countries: { readonly problem: string | null }
  readonly storage: Stored & {
    /** How much more the disk can take; null if that is unknown. */
    readonly free_bytes: number | null
    /** Why nothing is removed from the storage, and what the operator can do about it. */
    readonly problem: string | null
  }
  readonly encoding: {
    readonly workers: { readonly alive: number; readonly encoding: number }
    /** Of the whole installation. */
    readonly jobs: { readonly waiting: number; readonly running: number; readonly failed: number }
    /** Of the channel. */
    readonly videos: { readonly waiting: number; readonly encoding: number; readonly failed: number }
    /** The ffmpeg of the server, and where it was found. */
    readonly ffmpeg: { readonly version: string; readonly origin: 'named' | 'system' | 'packages' } | null
    /** Why there is no ffmpeg, and what to install. */
    readonly problem: string | null
  }
}

/**
 * The endpoints below /dashboard/api that need confirmation, by the rule of the resources (`confirmed`). Those that show a secret or
 * delete everything do so too.
 */
export const confirmedEndpoints: {
  readonly [P in keyof PublisherAnswers]?: readonly (keyof PublisherAnswers[P])[]
} = {
  '/totp': ['PUT'],
  '/channels': ['POST'],
  '/channel': ['DELETE'],
  '/all-videos': ['DELETE'],
  '/keys/:kind/reveal': ['POST'],
  '/keys/:kind/rotate': ['POST'],
  '/apps/:id/reveal': ['POST'],
  '/apps/:id/rotate': ['POST'],
  '/members/:id': ['PUT'],
  '/invitations': ['POST'],
}

/** What each endpoint below /dashboard/api returns, by path and verb; undefined is 204. */
export interface PublisherAnswers {
  readonly '/session': { GET: PublisherSession; POST: PublisherSession; DELETE: undefined }
  readonly '/sign-in': { GET: SignInMethods }
  readonly '/password': { PUT: { readonly message: string } }
  readonly '/forgotten-password': { POST: { readonly message: string }; PUT: { readonly message: string } }
  readonly '/confirm': { POST: undefined }
  readonly '/totp': {
    POST: { readonly secret: string; readonly uri: string }
    PUT: { readonly recovery_codes: readonly string[] }
    DELETE: undefined
  }
  readonly '/channels': { POST: ChannelOfUser }
  readonly '/overview': { GET: Overview }
  readonly '/requests': { GET: readonly LoggedRequest[] }
  readonly '/views': { GET: readonly SavedView[]; POST: SavedView }
  readonly '/views/:id': { PUT: SavedView; DELETE: undefined }
  readonly '/channel': { DELETE: undefined }
  readonly '/all-videos': { GET: AllVideos; DELETE: AllVideos; POST: AllVideos }
  readonly '/status': { GET: Status }
  readonly '/status/mail': { POST: { readonly to: string; readonly delivered: boolean } }
  readonly '/storage': { GET: StorageFacts }
  readonly '/storage/check': { POST: StorageFacts }
  readonly '/storage/verify': { POST: StorageFacts }
  readonly '/sample': { POST: { readonly response: { readonly _id: string } } }
  readonly '/keys': { GET: readonly ApiKey[] }
  readonly '/keys/:kind/reveal': { POST: { readonly key: string } }
  readonly '/keys/:kind/rotate': { POST: { readonly key: string; readonly previous_until: string } }
  readonly '/apps/:id/reveal': { POST: AppSecrets }
  readonly '/apps/:id/rotate': { POST: AppSecrets }
  readonly '/owners': { GET: readonly { readonly name: string }[] }
  readonly '/members': { GET: readonly Member[] }
  readonly '/members/:id': { PUT: Pick<Member, '_id' | 'role'>; DELETE: undefined }
  readonly '/invitations': { GET: readonly Invitation[]; POST: NewInvitation }
  readonly '/invitations/:id': { DELETE: undefined }
  readonly '/invitation/:token': { GET: InvitationSeen; POST: PublisherSession }
  readonly '/welcome': { POST: { readonly email: string }; PUT: PublisherSession }
  readonly '/sessions': { GET: readonly SignedInSession[]; DELETE: undefined }
}
