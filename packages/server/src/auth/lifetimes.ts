/** How long things live: an access token, a session that is not renewed, a session in any case. */
export interface Lifetimes {
  readonly accessSeconds: number
  readonly refreshDays: number
  readonly sessionDays: number
}
