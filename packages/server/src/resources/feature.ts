import type { Operation, Resource } from '@zoetrope/contract'
import type { Lifetimes } from '../auth/lifetimes.js'
import type { Passwords } from '../auth/passwords.js'
import type { Principal, Principals } from '../auth/principals.js'
import type { Database } from '../db/database.js'
import type { Caches } from '../lib/caches.js'
import type { Sealer } from '../lib/sealing.js'
import type { Origin } from '../lib/surroundings.js'
import type { Freshness } from '../lists/freshness.js'
import type { Keeping } from '../storage/keeping.js'
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
  readonly files: Keeping
}

/** One request, understood: who calls, in which scope, about which record, with what. */
export interface Call<Body = Readonly<Record<string, unknown>>> extends Origin {
  readonly parts: Parts
  readonly resource: Resource
  readonly principal: Principal
  readonly scope: Scope
  readonly id: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Body
  /** Tells the caller what of the request was ignored, in the header X-Notice. */
  readonly notice: (text: string) => void
}

/** An answer as finished JSON. A list's answer carries the version it was read at, so that it may be kept until that changes. */
export interface Answer {
  readonly json: string | Buffer
  readonly version?: number
}

/** An operation: the answer, or nothing when there is nothing to say (a removal). */
export type Run = (call: Call) => Promise<Answer | undefined>

/** How a resource says "except": an operation replaced whole, or the code of a declared action. */
export interface Feature {
  readonly operations?: Partial<Readonly<Record<Operation, Run>>>
  readonly actions?: Readonly<Record<string, Run>>
}
