import type { ZoetropeError } from './zoetrope-error.js'

/**
 * Opens a new session when the old one has ended, or lets its owner confirm the password if the code is `confirm_required`.
 * Returns the CSRF token, with which the failed request is sent again.
 */
export type RenewSession = (refused: ZoetropeError, method: string) => Promise<string>

/** A publisher who signed in on this origin: the browser sends the cookie itself. */
export interface ChannelSession {
  /** The channel that is acted on. */
  readonly channelId: string
  /** The CSRF token of the session. */
  readonly csrfToken: string
  /** Called when the session has ended or needs confirmation; without it, requests then fail. */
  readonly renew?: RenewSession
}

interface Credentials {
  readonly apiKey: string
  readonly appKey: string
  readonly accessToken: string
  /** Only for `uploads.send`: what a page gets instead of a key. */
  readonly uploadToken: string
  readonly session: ChannelSession
}

type Only<Name extends keyof Credentials> = Pick<Credentials, Name> & {
  readonly [Other in Exclude<keyof Credentials, Name>]?: undefined
}

/** Exactly one of the five. */
export type Credential = { [Name in keyof Credentials]: Only<Name> }[keyof Credentials]

/** The URL of the API, retries and time limits. */
export interface Connection {
  /** The URL of the API; it may have a path, and in a browser it may be relative to the page. */
  readonly url: string
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a request that is safe to repeat is retried; 2 by default. */
  readonly retries?: number | undefined
  /** How long one attempt may take; 30 seconds by default. */
  readonly timeoutMs?: number | undefined
  /**
   * Whether a parameter or field that the server does not know is an error, with the name that was probably meant. True by
   * default; with false it is ignored.
   */
  readonly strict?: boolean | undefined
}

export type ClientOptions = Credential & Connection

/** Sent as a header, because query strings end up in logs. */
export function credentialHeader({
  apiKey,
  appKey,
  accessToken,
  uploadToken,
  session,
}: Credential): Record<string, string> {
  const given = Object.entries({
    'x-api-key': apiKey,
    'x-app-key': appKey,
    authorization: accessToken && `Bearer ${accessToken}`,
    'x-upload-token': uploadToken,
    'x-channel-id': session?.channelId,
  }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  if (given.length !== 1)
    throw new TypeError('Give exactly one of apiKey, appKey, accessToken, uploadToken and session.')
  return { ...Object.fromEntries(given), ...(session && { 'x-csrf-token': session.csrfToken }) }
}
