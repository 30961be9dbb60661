import { createHash, randomBytes } from 'node:crypto'
import { note } from '../support/secrets.js'

/** The response as a browser without JavaScript gets it. */
export interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The target of the redirect. */
  readonly location: string
}

async function seen(reply: Response): Promise<Seen> {
  const { status, headers } = reply
  return { status, headers, text: await reply.text(), location: headers.get('location') ?? '' }
}

/** Opens a page, without following redirects. */
export const open = async (address: string, init: RequestInit = {}): Promise<Seen> =>
  seen(await fetch(address, { redirect: 'manual', ...init }))

export type FormFields = Readonly<Record<string, string>>

/** Submits a form. */
export const submit = (address: string, fields: FormFields, headers: FormFields = {}): Promise<Seen> =>
  open(address, { method: 'POST', body: new URLSearchParams(fields), headers })

/** Returns the hidden fields of a page's form. */
export const hiddenIn = ({ text }: Pick<Seen, 'text'>): FormFields =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )

/** Returns the error message on a page. */
export const alertIn = ({ text }: Pick<Seen, 'text'>): string =>
  /role="alert" id="alert">([^<]*)</.exec(text)?.[1] ?? ''

/** Returns the heading of a page. */
export const headingIn = ({ text }: Pick<Seen, 'text'>): string =>
  (/<h1>(.*?)<\/h1>/s.exec(text)?.[1] ?? '').replace(/<[^>]*>/g, '')

/** Creates a PKCE code verifier and its challenge (RFC 7636). */
export function newChallenge(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  note(verifier)
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Returns the authorization URL to which an app sends its viewer. */
export function authorizeUrl(url: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const { challenge } = newChallenge()
  const all = {
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the state of things',
    ...parameters,
  }
  const given = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return `${url}/oauth/authorize?${new URLSearchParams(given)}`
}
