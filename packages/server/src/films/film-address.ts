import { type Sealer, sameDigest } from '../lib/sealing.js'

/**
 * What the address of a track opens for everybody who has it. It names no viewer, so all viewers share it and caches can
 * keep what it opens.
 */
export interface FilmClaims {
  readonly source_id: string
  /** A rendition, or a file. */
  readonly track: string
  readonly encrypted: boolean
  /** Whether it was made for a viewer whose access was checked, because not everybody may watch. */
  readonly is_admitted: boolean
  /** Milliseconds since 1970. */
  readonly expires: number
}

const flags = { encrypted: 'e', is_admitted: 'a' } as const
const signatureBytes = 16

/**
 * The part of an address that proves that the rest was made here: when it expires, what it opens, and a signature over
 * these, the source and the track.
 */
export function sealFilm(sealer: Sealer, claims: FilmClaims): string {
  const facts = factsOf(claims)
  return `${facts}-${signatureOf(sealer, claims.source_id, claims.track, facts)}`
}

/** The claims of an address; undefined if it was altered, has expired or was not made here. */
export function openFilm(
  sealer: Sealer,
  { source_id, track, seal }: { readonly source_id: string; readonly track: string; readonly seal: string },
  now = Date.now(),
): FilmClaims | undefined {
  const [, facts = '', signature = ''] = /^([0-9a-z]+\.[ea]*)-([\w-]+)$/.exec(seal) ?? []
  const expected = signatureOf(sealer, source_id, track, facts)
  if (!sameDigest(Buffer.from(signature), Buffer.from(expected))) return undefined
  const [until = '', set = ''] = facts.split('.')
  const expires = Number.parseInt(until, 36)
  if (!(expires > now)) return undefined
  const [encrypted, is_admitted] = [set.includes(flags.encrypted), set.includes(flags.is_admitted)]
  return { source_id, track, encrypted, is_admitted, expires }
}

const factsOf = ({ encrypted, is_admitted, expires }: FilmClaims) =>
  `${expires.toString(36)}.${encrypted ? flags.encrypted : ''}${is_admitted ? flags.is_admitted : ''}`

const signatureOf = (sealer: Sealer, ...signed: readonly string[]) =>
  Buffer.from(sealer.derive('film', JSON.stringify(signed)), 'hex')
    .subarray(0, signatureBytes)
    .toString('base64url')
