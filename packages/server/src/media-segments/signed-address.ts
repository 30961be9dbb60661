import { type Sealer, sameDigest } from '../lib/sealing.js'

/** What an address of ours opens, and until when. */
export interface AddressClaims {
  readonly site_id: string
  readonly video_id: string
  /** The source whose playlists and segments it opens; empty where it tells the status of the video only. */
  readonly source_id: string
  /** Whether it was made for somebody who sees hidden videos. */
  readonly sees_hidden: boolean
  /** The consumer it was made for, where it matters who watches; else empty. */
  readonly consumer_id: string
  /** The device, the app and the site it was made for, as they were told, where rules look at them; else empty. */
  readonly told: string
  /** Whether what it opens is sent encrypted: for as long as it lasts, whatever the channel decides meanwhile. */
  readonly encrypted: boolean
  /** Milliseconds since 1970. */
  readonly expires: number
}

const hour = 3_600_000
const lifetime = 12 * hour

/** Whole hours, so that viewers who come about the same time share addresses, and caches can answer them. */
export const expiryFrom = (now: number): number => Math.floor((now + lifetime) / hour) * hour

/** What stands in a feed is played days later, and stays the same for half a day, so that whoever asks again can be told so. */
export const feedExpiryFrom = (now: number): number => Math.floor((now + 6 * lifetime) / lifetime) * lifetime

/** An address's word for its claims, which nobody else can make. */
export function signAddress(sealer: Sealer, claims: AddressClaims): string {
  const { site_id, video_id, source_id, sees_hidden, consumer_id, told, encrypted, expires } = claims
  const flags = [sees_hidden ? 'all' : 'active', expires.toString(36), encrypted ? 'aes' : '']
  const words = [...flags, consumer_id, ...(told === '' ? [] : [encode(told)])]
  const payload = [site_id, video_id, source_id, ...words].join('.')
  return `${encode(payload)}.${signatureOf(sealer, payload)}`
}

/** What a token opens; nothing if it was altered, has expired or is none of ours. */
export function openAddress(sealer: Sealer, token: string, now = Date.now()): AddressClaims | undefined {
  const [written = '', signature = '', ...rest] = token.split('.')
  const payload = Buffer.from(written, 'base64url').toString()
  // Decoding forgives much: what it forgave is not what we wrote.
  if (rest.length > 0 || encode(payload) !== written) return undefined
  if (!sameDigest(Buffer.from(signature), Buffer.from(signatureOf(sealer, payload)))) return undefined
  const [site_id = '', video_id = '', source_id = '', ...words] = payload.split('.')
  const [sees, until = '', sent, consumer_id = '', toldThen = ''] = words
  const told = Buffer.from(toldThen, 'base64url').toString()
  const expires = Number.parseInt(until, 36)
  const flags = { sees_hidden: sees === 'all', encrypted: sent === 'aes' }
  return expires > now ? { site_id, video_id, source_id, consumer_id, told, ...flags, expires } : undefined
}

const encode = (text: string) => Buffer.from(text).toString('base64url')
const signatureOf = (sealer: Sealer, payload: string) =>
  Buffer.from(sealer.derive('playback', payload), 'hex').toString('base64url')
