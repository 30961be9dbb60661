import { type Duty, duties, type Role } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import type { Mailer } from '../lib/message.js'
import type { Watch } from '../library/watch.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import type { IdentityProvider } from './identity-provider.js'
import type { Session } from './session-store.js'

export type KeepKey = (channelId: string, kind: string, key: string) => Promise<void>
export type DropPassword = (email: string, emailNow: string) => Promise<void>

/** How the installation sends mail. */
export interface Mail {
  readonly mailer: Mailer
  readonly from: string
}

/** A request of the dashboard to its own API. */
export interface PublisherRequest {
  readonly parts: Parts
  readonly media: MediaParts
  readonly watch: Watch
  readonly mail: Mail
  readonly request: FastifyRequest
  /** Where it came from, read at once: it is unknown after the client has disconnected. */
  readonly address: string
  /** The parameters of its path. */
  readonly params: Readonly<Record<string, string>>
  /** Updates the file of the first credentials when a key of their channel is replaced. */
  readonly keepKey: KeepKey
  /** Removes the password from the same file when its publisher has chosen another. */
  readonly dropPassword: DropPassword
  /** The identity provider that publishers sign in with, if there is one. */
  readonly provider: IdentityProvider | undefined
  /** The unvalidated fields of its body. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The same from a signed-in publisher. */
export interface SignedIn extends PublisherRequest {
  readonly session: Session
  /** The value of the cookie. */
  readonly token: string
}

/** The same, in a channel the publisher is a member of. */
export interface InChannel extends SignedIn {
  readonly siteId: string
  readonly role: Role
}

/** A value that becomes T when it is written as JSON: a `Date` becomes a string. */
export type Unwritten<T> = string extends T
  ? T | Date
  : T extends readonly (infer Item)[]
    ? readonly Unwritten<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Unwritten<T[K]> }
      : T

/** The response: T as JSON, or 204 if that is undefined. */
export type EndpointResult<T> = Done<T> | Denied

type Done<T> = {
  readonly status?: 201 | 202
  /** A new cookie; an empty one removes it. */
  readonly cookie?: string
} & (undefined extends T ? { readonly body?: T } : { readonly body: Unwritten<T> })

/**
 * What the publisher has to prove first. It is a response and not an error, because its body says more than
 * errors do.
 */
export interface Denied {
  readonly status: 401 | 403
  readonly cookie?: undefined
  readonly body: { readonly message: string; readonly code: string; readonly [need: string]: unknown }
}

/** What an endpoint does for anyone, for a signed-in publisher, and for one in a channel. */
export type OpenEndpoint<T> = (visit: PublisherRequest) => Promise<EndpointResult<T>>
export type UserEndpoint<T> = (visit: SignedIn) => Promise<EndpointResult<T>>
export type ChannelEndpoint<T> = (visit: InChannel) => Promise<EndpointResult<T>>

/** Who may call an endpoint, and what it does. */
export type PublisherEndpoint<T = unknown> =
  | { readonly for: 'anyone'; run(visit: PublisherRequest): Promise<EndpointResult<T>> }
  | { readonly for: 'signed in'; run(visit: SignedIn): Promise<EndpointResult<T>> }
  | { readonly for: readonly Role[]; run(visit: InChannel): Promise<EndpointResult<T>> }

export const anyone = <T>(run: OpenEndpoint<T>): PublisherEndpoint<T> => ({ for: 'anyone', run })
export const signedIn = <T>(run: UserEndpoint<T>): PublisherEndpoint<T> => ({ for: 'signed in', run })
export const everyRole = <T>(run: ChannelEndpoint<T>): PublisherEndpoint<T> => ({
  for: ['owner', 'editor', 'viewer'],
  run,
})
/** For the roles that the contract allows to do this. */
export const onDuty = <T>(duty: Duty, run: ChannelEndpoint<T>): PublisherEndpoint<T> => ({
  for: duties[duty],
  run,
})
