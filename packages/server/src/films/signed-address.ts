import { type Sealer, sameDigest } from '../lib/sealing.js'

/** What a signed playback address opens, and until when. */
export interface AddressClaims {
  readonly site_id: string
  readonly video_id: string
  /** The source whose playlists and segments it opens; empty if it only reports the video's status. */
  readonly source_id: string
  /** Whether it was made for a caller who sees hidden videos. */
  readonly sees_hidden: boolean
  /** The consumer it was made for if that decides who may watch, else empty. */
  readonly consumer_id: string
  /** The device, the app and the site as the client reported them, if content rules need them, else empty. */
  readonly client_facts: string
  /** The session or key it was made for, see `films/address-grant.ts`; empty if it depends on neither. */
  readonly grant: string
  /** Whether segments are sent encrypted. Fixed for the lifetime of the address, even if the channel's setting changes. */
  readonly encrypted: boolean
  /** Milliseconds since 1970. */
  readonly expires: number
}

const hour = 3_600_000
const lifetime = 12 * hour

/** Rounded to whole hours, so that viewers of the same hour share addresses and caches can serve them. */
export const expiryFrom = (now: number): number => Math.floor((now + lifetime) / hour) * hour

/** Addresses in feeds are played days later. They stay the same for half a day, so that a conditional request can be answered with 304. */
export const feedExpiryFrom = (now: number): number => Math.floor((now + 6 * lifetime) / lifetime) * lifetime

/** The token of an address: its claims and a signature that only this installation can make. */
export function signAddress(sealer: Sealer, claims: AddressClaims): string {
  const { site_id, video_id, source_id, sees_hidden, consumer_id, client_facts, grant, encrypted, expires } =
    claims
  const flags = [sees_hidden ? 'all' : 'active', expires.toString(36), encrypted ? 'aes' : '']
  const words = [...flags, consumer_id, encode(client_facts), grant]
  const payload = [site_id, video_id, source_id, ...words].join('.').replace(/\.{1,2}$/, '')
  return `${encode(payload)}.${signatureOf(sealer, payload)}`
}

/** The claims of a token; undefined if it was altered, has expired or was not made here. */
export function openAddress(sealer: Sealer, token: string, now = Date.now()): AddressClaims | undefined {
  const [written = '', signature = '', ...rest] = token.split('.')
  const payload = Buffer.from(written, 'base64url').toString()
  // Decoding base64url ignores invalid characters; a token with such characters was not made here.
  if (rest.length > 0 || encode(payload) !== written) return undefined
  if (!sameDigest(Buffer.from(signature), Buffer.from(signatureOf(sealer, payload)))) return undefined
  const [site_id = '', video_id = '', source_id = '', ...words] = payload.split('.')
  const [sees, until = '', sent, consumer_id = '', factsThen = '', grant = ''] = words
  const client_facts = Buffer.from(factsThen, 'base64url').toString()
  const expires = Number.parseInt(until, 36)
  const flags = { sees_hidden: sees === 'all', encrypted: sent === 'aes' }
  return expires > now
    ? { site_id, video_id, source_id, consumer_id, client_facts, grant, ...flags, expires }
    : undefined
}

const encode = (text: string) => Buffer.from(text).toString('base64url')
const signatureOf = (sealer: Sealer, payload: string) =>
  Buffer.from(sealer.derive('playback', payload), 'hex').toString('base64url')
