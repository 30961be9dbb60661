import { newestKey } from '../auth/keys.js'
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
  throw new ApiError(404, 'This channel has no player key. `zoetrope key` makes one.')
}
