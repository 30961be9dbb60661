/** The public addresses of this installation. */
export interface PublicUrls {
  /** Of the token endpoints and the viewers' pages. */
  readonly loginUrl: string
  /** Of the player. */
  readonly playerUrl: string
  /** Of segments and pictures: a CDN, or the player's. */
  readonly mediaUrl: string
  /** Of the API. */
  readonly apiUrl: string
}
