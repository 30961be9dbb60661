import type { ZoetropeError } from './zoetrope-error.js'

/** Opens another session where one has ended, and answers its CSRF token. The request that found out is sent once more with it. */
export type RenewSession = (refused: ZoetropeError, method: string) => Promise<string>

/** A publisher who signed in on this origin: the browser sends the cookie itself. */
export interface ChannelSession {
  /** The channel that is acted on. */
  readonly channelId: string
  /** What the session gave out against requests that others make in its name. */
  readonly csrfToken: string
  /** Asked when the session has ended; without it, requests fail then. */
  readonly renew?: RenewSession
}

interface Credentials {
  readonly apiKey: string
  readonly appKey: string
  readonly accessToken: string
  readonly session: ChannelSession
}

type Only<Name extends keyof Credentials> = Pick<Credentials, Name> & {
  readonly [Other in Exclude<keyof Credentials, Name>]?: never
}

/** Exactly one of the four. */
export type Credential = Only<'apiKey'> | Only<'appKey'> | Only<'accessToken'> | Only<'session'>

/** Where the API is, and how patient to be with it. */
export interface Connection {
  /** The address of the API; it may have a path, and in a browser it may be relative to the page. */
  readonly url: string
  readonly fetch?: typeof globalThis.fetch
  /** How often a request that is safe to repeat is sent again; 2 unless said otherwise. */
  readonly retries?: number
  /** How long one attempt may take; 30 seconds unless said otherwise. */
  readonly timeoutMs?: number
}

export type ClientOptions = Credential & Connection

/** Sent as a header, because query strings land in logs. */
export function credentialHeader({
  apiKey,
  appKey,
  accessToken,
  session,
}: Credential): Record<string, string> {
  const given = Object.entries({
    'x-api-key': apiKey,
    'x-app-key': appKey,
    authorization: accessToken && `Bearer ${accessToken}`,
    'x-channel-id': session?.channelId,
  }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  if (given.length !== 1) throw new TypeError('Give exactly one of apiKey, appKey, accessToken and session.')
  return { ...Object.fromEntries(given), ...(session && { 'x-csrf-token': session.csrfToken }) }
}
