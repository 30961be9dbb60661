import type { Operation, Resource } from '@zoetrope/contract'
import type { Lifetimes } from '../auth/lifetimes.js'
import type { Passwords } from '../auth/passwords.js'
import type { Principal, Principals } from '../auth/principals.js'
import type { Database } from '../db/database.js'
import type { Caches } from '../lib/caches.js'
import type { Sealer } from '../lib/sealing.js'
import type { Origin } from '../lib/surroundings.js'
import type { Freshness } from '../lists/freshness.js'
import type { StorageParts } from '../storage/storage-parts.js'
import type { Scope } from './store.js'

/** What operations are made of; built once at start. */
export interface Parts {
  readonly database: Database
  readonly sealer: Sealer
  readonly principals: Principals
  readonly freshness: Freshness
  readonly passwords: Passwords
  /** What this process has read and may use again for a while. */
  readonly cache: Caches
  /** How long tokens live. */
  readonly lifetimes: Lifetimes
  /** Public address of the token endpoints and the viewers' pages. */
  readonly loginUrl: string
  /** Public address of the player. */
  readonly playerUrl: string
  /** Public address of the API. */
  readonly apiUrl: string
  /** Where uploaded files are kept, and how much of them. */
  readonly files: StorageParts
}

/** The declared fields of a request, read and checked. */
export type Body = Readonly<Record<string, unknown>>

/** One request, understood: who calls, in which scope, about which record, with what. */
export interface Call<B = Body> extends Origin {
  readonly parts: Parts
  readonly resource: Resource
  readonly principal: Principal
  readonly scope: Scope
  readonly id: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: B
  /** Tells the caller in the header X-Notice what was ignored. */
  readonly notice: (text: string) => void
}

/** An answer as finished JSON. The answer of a counted list has the version that was read, and may be kept until that changes. */
export interface Answer {
  readonly json: string | Buffer
  readonly version?: number
}

/** An operation. It returns the answer, or undefined if there is none (a removal). */
export type Run<B = Body> = (call: Call<B>) => Promise<Answer | undefined>

/**
 * How a resource differs from the standard: operations that are replaced, and the code of its actions. Which body each takes is
 * checked where features are listed, and `never` here lets them take any.
 */
export interface Feature {
  readonly operations?: Partial<Readonly<Record<Operation, Run<never>>>>
  readonly actions?: Readonly<Record<string, Run<never>>>
}
