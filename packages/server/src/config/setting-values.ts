import { isIP } from 'node:net'

/** What the values of settings must look like, and what to say if they do not. */

export const headerProblem = 'must be the name of a header, such as CF-IPCountry.'
export const isHeaderName = (value: string) => /^[\w-]{1,100}$/.test(value)

export const secretKeyProblem = 'must be at least 32 characters long. `openssl rand -hex 32` makes one.'
export const smtpUrlProblem =
  'must be such as smtp://user:password@host:587 or smtps://user:password@host:465, with nothing behind it. Write special characters of the password in percent-encoding, @ as %40.'
export const mailFromProblem = 'must be one mail address such as no-reply@example.org, without a name.'

export const issuerProblem =
  'must be an https:// address; http:// is possible for a provider on this machine only (localhost, 127.0.0.1).'

/** Whether nobody on the network can pose as the identity provider. */
export function isSafeIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  )
}

export function isSmtpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  return (
    /^smtps?:$/.test(protocol) &&
    hostname !== '' &&
    /^\/?$/.test(pathname + search + hash) &&
    (username === '') === (password === '') &&
    isDecodable(username + password)
  )
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

export const isMailAddress = (value: string): boolean =>
  value.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]+@[\p{L}\p{N}]([\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(value)

/** The domain of our mails. A numeric address cannot be one. */
export function mailHost(loginUrl: string): string {
  const host = URL.canParse(loginUrl) ? new URL(loginUrl).hostname.replace(/^\[(.*)\]$/, '$1') : ''
  return host === '' || isIP(host) ? 'localhost' : host
}

export const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

/**
 * An address, optionally with a prefix length of at least 1: a range that covers everything is not a network.
 */
export function isAddressRange(text: string): boolean {
  const [, address = '', bits] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const longest = { 4: 32, 6: 128 }[isIP(address)]
  if (longest === undefined) return false
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= longest)
}
