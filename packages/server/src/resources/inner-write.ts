import type { Resource } from '@zoetrope/contract'
import type { ApiError } from '../errors.js'

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
