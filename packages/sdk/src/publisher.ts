import type { Role } from '@zoetrope/contract'

export type { Role } from '@zoetrope/contract'

/** What the dashboard's own endpoints answer: publishers, their channels, keys and colleagues. */

export type KeyKind = 'admin' | 'player' | 'read_only'

export interface PublisherSession {
  readonly user: {
    readonly _id: string
    readonly email: string
    readonly name: string | null
    readonly totp_enabled: boolean
    readonly password_changed_at: string | null
  }
  readonly channels: readonly ChannelOfUser[]
  readonly csrf_token: string
}

export interface ChannelOfUser {
  readonly _id: string
  readonly name: string
  readonly role: Role
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
  /** Until when the key before this one is accepted. */
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
  /** Whether it is whoever asks. */
  readonly you: boolean
}

export interface Invitation {
  readonly _id: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
  readonly expires_at: string
}

/** What somebody sees who was sent the link. */
export interface InvitationSeen {
  readonly email: string
  readonly role: Role
  readonly channel: string
  readonly expires_at: string
  /** They have an account already, whose password lets them in. */
  readonly has_account: boolean
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
  /** The id of the last one that was shown. */
  readonly before?: string
}

/** A video in a player, as code for pages and as addresses. */
export interface PlayerSnippets {
  readonly iframe: string
  readonly script: string
  readonly element: string
  readonly page_url: string
  readonly share_url: string
  readonly oembed_url: string
  readonly manifest_url: string
}

/** A handful of videos by name, and how many there are. */
export interface SomeVideos {
  readonly count: number
  readonly videos: readonly { readonly _id: string; readonly title: string }[]
}

export interface PlaySum {
  readonly plays: number
  readonly watched_seconds: number
}

/** How a channel is, at a glance. */
/** The room that a channel takes. */
interface Stored {
  /** The files as they came, images, and what uploads have announced. */
  readonly bytes: number
  /** What was made of them: all formats, and their sound. */
  readonly made_bytes: number
  /** How large `bytes` may become; null where there is no limit. */
  readonly limit_bytes: number | null
}

export interface Overview {
  readonly attention: {
    readonly failed: SomeVideos
    readonly waiting: SomeVideos
    readonly expiring: SomeVideos
  }
  readonly storage: Stored
  readonly encoding: SomeVideos
  readonly plays: {
    readonly last_7_days: PlaySum
    readonly last_28_days: PlaySum
    readonly by_day: readonly (PlaySum & { readonly date: string })[]
  }
}

/** How somebody likes to see a list: filters, order and layout, under a name of their own. */
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
  /** While nothing runs: those that were deleted together last, and can be brought back. */
  readonly deleted: { readonly at: string; readonly count: number } | null
}

/** How the installation does, as far as it concerns a channel. */
export interface Status {
  readonly mail: { readonly configured: boolean; readonly from: string }
  readonly storage: Stored & {
    /** What the disk can still take; null where that is unknown. */
    readonly free_bytes: number | null
    /** Why nothing is removed from the storage, if so, and what the operator does about it. */
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
    /** Why there is no ffmpeg and what to install, if so. */
    readonly problem: string | null
  }
}
