import { type Duty, duties, type Role } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import type { Mailer } from '../lib/message.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import type { Session } from './session-store.js'

export type KeepKey = (channelId: string, kind: string, key: string) => Promise<void>
export type DropPassword = (email: string, emailNow: string) => Promise<void>

/** How mail leaves the installation. */
export interface Mail {
  readonly mailer: Mailer
  /** Without a mail server, mails are kept in files. */
  readonly isConfigured: boolean
  readonly from: string
}

/** A request of the dashboard to its own API. */
export interface Visit {
  readonly parts: Parts
  readonly media: MediaParts
  readonly mail: Mail
  readonly request: FastifyRequest
  /** Where it came from, noted at once: of whoever has left nothing is known later. */
  readonly address: string
  /** What its path names. */
  readonly params: Readonly<Record<string, string>>
  /** Keeps the file of the first credentials true when a key of their channel is replaced. */
  readonly keepKey: KeepKey
  /** Keeps the same file true when somebody has chosen a password: it does not have theirs. */
  readonly dropPassword: DropPassword
  /** The fields of its body, as they came. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The same from somebody who is signed in. */
export interface SignedIn extends Visit {
  readonly session: Session
  /** What the cookie has. */
  readonly token: string
}

/** The same, in a channel that they belong to. */
export interface InChannel extends SignedIn {
  readonly siteId: string
  readonly role: Role
}

/** What is said to it: nothing is 204. */
export interface Said {
  readonly status?: number
  readonly body?: unknown
  /** A new cookie; an empty one takes it away. */
  readonly cookie?: string
}

/** Who may ask, and what is done. */
export type Endpoint =
  | { readonly for: 'anyone'; readonly run: (visit: Visit) => Promise<Said> }
  | { readonly for: 'signed in'; readonly run: (visit: SignedIn) => Promise<Said> }
  | { readonly for: readonly Role[]; readonly run: (visit: InChannel) => Promise<Said> }

export const anyone = (run: (visit: Visit) => Promise<Said>): Endpoint => ({ for: 'anyone', run })
export const signedIn = (run: (visit: SignedIn) => Promise<Said>): Endpoint => ({ for: 'signed in', run })
export const everyRole = (run: (visit: InChannel) => Promise<Said>): Endpoint => ({
  for: ['owner', 'editor', 'viewer'],
  run,
})
/** For the roles that the contract lets do this. */
export const onDuty = (duty: Duty, run: (visit: InChannel) => Promise<Said>): Endpoint => ({
  for: duties[duty],
  run,
})
