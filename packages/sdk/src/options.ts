/** Exactly one of the three. */
export type Credential =
  | { readonly apiKey: string; readonly appKey?: never; readonly accessToken?: never }
  | { readonly appKey: string; readonly apiKey?: never; readonly accessToken?: never }
  | { readonly accessToken: string; readonly apiKey?: never; readonly appKey?: never }

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
export function credentialHeader({ apiKey, appKey, accessToken }: Credential): Record<string, string> {
  const given = Object.entries({
    'x-api-key': apiKey,
    'x-app-key': appKey,
    authorization: accessToken && `Bearer ${accessToken}`,
  }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  if (given.length !== 1) throw new TypeError('Give exactly one of apiKey, appKey and accessToken.')
  return Object.fromEntries(given)
}
