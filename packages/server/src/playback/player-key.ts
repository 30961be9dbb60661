import { newestKey } from '../auth/keys.js'
import { openPlaybackToken, type PlaybackTokenClaims } from '../auth/playback-tokens.js'
import type { Credential, Principal } from '../auth/principals.js'
import { ApiError } from '../errors.js'
import type { Parts } from '../resources/feature.js'

/**
 * The key that may appear in a page: the caller's own if it is a player key, else the channel's. No other
 * credential is ever exposed there.
 */
export async function playerKeyFor(
  { database, sealer }: Parts,
  { kind, siteId }: Principal,
  { value }: Credential,
): Promise<string> {
  if (kind === 'player') return value
  const key = await newestKey(database.db, sealer, siteId, 'player')
  if (key) return key
  throw noPlayerKey()
}

const noPlayerKey = () => new ApiError(404, 'This channel has no player key. `zoetrope key` makes one.')

/** Who plays with a key of the channel, and with a playback token if there is one. */
export interface PlayerCaller {
  readonly principal: Principal
  readonly credential: Credential
  readonly token?: PlaybackTokenClaims
}

/** Somebody who is not signed in, with the player key of a channel; undefined if it has none. */
export async function anyPlayer(
  { database, sealer, principals }: Parts,
  site_id: string,
): Promise<PlayerCaller | undefined> {
  const key = await newestKey(database.db, sealer, site_id, 'player')
  const credential = { parameter: 'api_key', value: key ?? '' } as const
  const principal = key ? await principals.find(credential) : undefined
  return principal && { principal, credential }
}

/** Anyone who has a playback token. */
export async function tokenHolder(parts: Parts, text: string): Promise<PlayerCaller> {
  const token = await openPlaybackToken(parts.database.db, parts.sealer, text)
  const player = await anyPlayer(parts, token.site_id)
  if (!player) throw noPlayerKey()
  return { ...player, token }
}
