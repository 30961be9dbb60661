/** Lifetimes of an access token, of a session without renewal, and of any session. */
export interface Lifetimes {
  readonly accessSeconds: number
  readonly refreshDays: number
  readonly sessionDays: number
}
