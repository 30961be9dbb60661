import type { Operation, Resource } from '@zoetrope/contract'
import type { Lifetimes } from '../auth/lifetimes.js'
import type { Passwords } from '../auth/passwords.js'
import type { Principal, Principals } from '../auth/principals.js'
import type { Database } from '../db/database.js'
import type { ApiError } from '../errors.js'
import type { Caches } from '../lib/caches.js'
import type { PublicUrls } from '../lib/public-urls.js'
import type { Sealer } from '../lib/sealing.js'
import type { Origin } from '../lib/surroundings.js'
import type { Ignored } from '../lib/unknown-parameters.js'
import type { Freshness } from '../lists/freshness.js'
import type { Replica } from '../lists/replica.js'
import type { StorageParts } from '../storage/storage.js'
import type { Scope } from './store.js'

/** The dependencies of operations, built once at start. */
export interface Parts extends PublicUrls {
  readonly database: Database
  /** Where lists may be read too. */
  readonly replica?: Replica | undefined
  readonly sealer: Sealer
  readonly principals: Principals
  readonly freshness: Freshness
  readonly passwords: Passwords
  /** Data that this process has read and may reuse for a while. */
  readonly cache: Caches
  /** The lifetimes of tokens. */
  readonly lifetimes: Lifetimes
  /** Whether mails are sent. Without a mail server, they are written to files. */
  readonly canMail: boolean
  /** Whether a webhook may have this address, or a film or feed come from it, although it is not public. */
  readonly allows: Readonly<Record<'receiver' | 'import', (address: string) => boolean>>
  /** The storage of uploaded files, and its limits. */
  readonly files: StorageParts
  /** Only within a transaction that spans the request: runs what cannot be undone once that is committed. */
  readonly afterCommit?: (effect: () => unknown) => void
}

/** The declared fields of a request, parsed and validated. */
export type Body = Readonly<Record<string, unknown>>

/** A write that is part of another request. */
export interface InnerWrite {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What came of it. */
export interface InnerOutcome {
  readonly status: number
  readonly resource: Resource
  /** The record that its path names; empty if it names none. */
  readonly id: string
  /** Why it failed. */
  readonly error?: ApiError
}

/** A parsed request: the caller, the scope, the target record and the input. */
export interface Call<B = Body> extends Origin {
  readonly parts: Parts
  readonly resource: Resource
  readonly principal: Principal
  readonly scope: Scope
  readonly id: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: B
  /** Performs another write of the caller within the transaction of this one. Only for requests that have one. */
  readonly perform?: (write: InnerWrite) => Promise<InnerOutcome>
  /** Reports an ignored part of the request in the X-Notice header. Throws 422 if the request is strict. */
  readonly notice: (ignored: Ignored) => void
}

/** The number of records of a list. It is a lower bound if there are too many to count. */
export interface Total {
  readonly total: number
  readonly isExact: boolean
}

/**
 * An answer as finished JSON. The answer of a counted list carries the list's version, and may be cached until that
 * changes.
 */
export interface Answer {
  readonly json: string | Buffer
  readonly version?: number
  /** The number of records of a list, on all pages. */
  readonly total?: Total
}

/** An operation. Returns the answer, or undefined if there is none, as for a removal. */
export type Run<B = Body> = (call: Call<B>) => Promise<Answer | undefined>

/** A text file to download. */
export interface FileAnswer {
  readonly text: string
  readonly type: string
  readonly name: string
}

export type RunAction<B = Body> = (call: Call<B>) => Promise<Answer | FileAnswer | undefined>

/**
 * How a resource differs from the standard: the operations that it replaces, and its actions. The list of features
 * checks which body each takes, so `never` allows any here.
 */
export interface Feature {
  readonly operations?: Partial<Readonly<Record<Operation, Run<never>>>>
  readonly actions?: Readonly<Record<string, RunAction<never>>>
}
