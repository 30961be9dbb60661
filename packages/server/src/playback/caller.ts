import { catalog } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { seesHidden } from '../auth/access.js'
import { forbidden, unavailable } from '../errors.js'
import { queryOf } from '../http/brackets.js'
import { credentialOf, identify } from '../http/credential.js'
import { whileAlive } from '../http/while-alive.js'
import type { Parts } from '../resources/feature.js'
import { type AddressClaims, openAddress } from './signed-address.js'
import { findVideo, type Seen, type Video } from './videos.js'

/** The video that a request with a credential is about. Every kind of credential makes player requests. */
export async function askedVideo(
  parts: Parts,
  request: FastifyRequest,
  id: string,
): Promise<{ readonly seen: Seen; readonly video: Video }> {
  const ask = async () => {
    const { player_key } = queryOf(request)
    // Another name for api_key, on player requests only.
    const credential = credentialOf(request, player_key === undefined ? undefined : { api_key: player_key })
    const principal = await identify(parts.principals, credential)
    request.caller = principal
    const viewer = {
      site_id: principal.siteId,
      sees_hidden: seesHidden(principal, catalog.videos),
      consumer_id: principal.consumerId ?? '',
    }
    const video = await findVideo(parts, viewer, id)
    return { seen: { ...viewer, encrypted: video.channel.hls_encryption }, video }
  }
  return whileAlive(parts.database.db, ask(), () => unavailable(undefined))
}

/** What a signed address opens. */
export function claimsOf({ sealer }: Parts, token: string): AddressClaims {
  const claims = openAddress(sealer, token)
  if (claims) return claims
  throw forbidden('This address has expired, or is not one of ours. Ask for the video again.')
}
