import type { Identity } from '../auth/identity-accounts.js'

/** What must be remembered between sending a browser to the provider and its return. */
export interface Departure {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Whether the provider has to ask for the password again. */
  readonly isConfirmation: boolean
}

/** Why nobody could be signed in. The sign-in page explains each. */
export type SignInProblem =
  | 'declined'
  | 'expired'
  | 'unreachable'
  | 'unverified'
  | 'no_role'
  | 'taken'
  | 'failed'

export class SignInFailed extends Error {
  readonly problem: SignInProblem
  constructor(problem: SignInProblem, cause?: unknown) {
    super(`Sign-in with the identity provider: ${problem}`, { cause })
    this.problem = problem
  }
}

export interface IdentityProvider {
  readonly name: string
  readonly allowsPasswords: boolean
  /** Where to send the browser. */
  begin(isConfirmation: boolean): Promise<{ readonly address: string; readonly departure: Departure }>
  /** Reads the query string that the browser came back with. */
  finish(query: string, departure: Departure): Promise<Identity>
}
