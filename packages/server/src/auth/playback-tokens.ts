import { createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { limits } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { ApiError } from '../errors.js'
import { isId } from '../lib/object-id.js'
import { type Sealer, sameDigest } from '../lib/sealing.js'

/** What a playback token opens. */
export interface PlaybackTokenClaims {
  readonly site_id: string
  readonly audience: 'video' | 'playlist'
  /** The id of the video or of the playlist. */
  readonly subject: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** The signing key of the publisher; empty if the server signed it. */
  readonly key_id: string
}

const longestToken = 2000
/** How far the clocks of publishers' servers may be ahead. */
const leewaySeconds = 60
const mostSeconds = limits.playback_token_seconds.value

/** A pair of keys for a publisher's server. Only the public one is stored. */
export function newSigningKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const signatureOf = (sealer: Sealer, site_id: string, signed: string) =>
  createHmac('sha256', sealer.derive('playback token', site_id)).update(signed).digest()

/** A token that the server signs itself: a JWT without a key id. */
export function signPlaybackToken(
  sealer: Sealer,
  { site_id, audience, subject, expires }: Omit<PlaybackTokenClaims, 'key_id'>,
  now = Date.now(),
): string {
  const [iat, exp] = [now, expires].map((time) => Math.floor(time / 1000))
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: site_id, aud: audience, sub: subject, iat, exp })}`
  return `${signed}.${signatureOf(sealer, site_id, signed).toString('base64url')}`
}

const refuse = (why: string, code = 'playback_token_invalid') =>
  new ApiError(401, `This playback token ${why}.`, { code })

/**
 * The claims of a token; throws 401 if it is not valid now. The key decides how the signature is checked, never the token: one that
 * names a signing key needs a signature of that key, and any other one a signature of ours.
 */
export async function openPlaybackToken(
  db: Db,
  sealer: Sealer,
  token: string,
  now = Date.now(),
): Promise<PlaybackTokenClaims> {
  const [head = '', payload = '', signature = '', ...rest] = token.split('.')
  const header = token.length <= longestToken && rest.length === 0 ? partOf(head) : undefined
  const claims = header && partOf(payload)
  if (!header || !claims) throw refuse('cannot be read')
  const { kid } = header
  const key = kid === undefined ? undefined : await findSigningKey(db, kid)
  const site_id = key ? key.site_id : String(claims.iss)
  const signed = `${head}.${payload}`
  const given = Buffer.from(signature, 'base64url')
  const isSigned = key
    ? header.alg === 'ES256' && isSignedWith(key.public_key, signed, given)
    : kid === undefined &&
      header.alg === 'HS256' &&
      isId(site_id) &&
      sameDigest(given, signatureOf(sealer, site_id, signed))
  if (!isSigned) throw refuse('was not signed with a key of this channel')
  return { ...checkedClaims(claims, now / 1000), site_id, key_id: key?._id ?? '' }
}

type JsonObject = Readonly<Record<string, unknown>>

function partOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined
  }
}

interface SigningKeyRow {
  readonly _id: string
  readonly site_id: string
  readonly public_key: string
}

async function findSigningKey(db: Db, kid: unknown): Promise<SigningKeyRow | undefined> {
  if (typeof kid !== 'string' || !isId(kid)) return undefined
  const [row] = await db<SigningKeyRow[]>`
    select _id, site_id, public_key from signing_keys where _id = ${kid} limit 1
  `
  return row
}

const isSignedWith = (key: string, signed: string, signature: Buffer): boolean =>
  verify('sha256', Buffer.from(signed), { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' }, signature)

/** Checks what a token says, which is signed already. Times are in seconds. */
function checkedClaims({ aud, sub, iat, nbf, exp }: JsonObject, now: number) {
  const audience = Array.isArray(aud) && aud.length === 1 ? (aud[0] as unknown) : aud
  if (audience !== 'video' && audience !== 'playlist') throw refuse('needs aud: video or playlist')
  if (typeof sub !== 'string' || !isId(sub)) throw refuse(`needs sub: the id of the ${audience}`)
  return { audience, subject: sub, expires: checkedExpiry({ iat, nbf, exp }, now) * 1000 } as const
}

function checkedExpiry({ iat, nbf = iat, exp }: JsonObject, now: number): number {
  if (!isTime(iat) || !isTime(nbf) || !isTime(exp)) throw refuse('needs iat and exp, in seconds since 1970')
  if (exp - iat > mostSeconds) throw refuse(`lives for more than ${mostSeconds / 3600} hours`)
  if (Math.max(iat, nbf) > now + leewaySeconds) throw refuse('is not valid yet')
  if (exp <= now) throw refuse('has expired', 'playback_token_expired')
  return exp
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0
