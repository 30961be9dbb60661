import { catalog } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { seesHidden } from '../auth/access.js'
import type { Principal } from '../auth/principals.js'
import { forbidden, notFound, unavailable } from '../errors.js'
import { isForEverybody } from '../features/videos/may-watch.js'
import { queryOf } from '../http/brackets.js'
import { credentialOf, identify } from '../http/credential.js'
import { channelInAddress } from '../http/dashboard-session.js'
import { whileAlive } from '../http/while-alive.js'
import type { Wanted } from '../media-segments/published.js'
import { type AddressClaims, openAddress } from '../media-segments/signed-address.js'
import { findSource, type Source } from '../media-segments/source-plan.js'
import type { Parts } from '../resources/feature.js'
import { frameAncestors, type SiteRule } from './embed-domains.js'
import { inPath, type Playback } from './playback.js'
import { playerKeyFor } from './player-key.js'
import { type Channel, checkStillSeen, findVideo, type Seen, type Video } from './videos.js'

/** What a request with a credential asks for. */
export interface Asked {
  readonly seen: Seen
  readonly video: Video
  /** What a page says about who may frame it. */
  readonly framing: string | undefined
  /** Who asks; empty for those who have not signed in. */
  readonly consumerId: string
  /** Whether the viewer's plays are counted. */
  readonly isCounted: boolean
  /** The key that may stand in a page. */
  playerKey(): Promise<string>
}

/** The video that a request with a credential is about. Every kind of credential makes player requests. */
export async function askedVideo(
  { parts, playerUrl }: Playback,
  request: FastifyRequest,
  id: string,
  siteRule: SiteRule,
): Promise<Asked> {
  const ask = async () => {
    const { player_key } = queryOf(request)
    // Another name for api_key, on player requests only.
    const credential = credentialOf(
      request,
      player_key === undefined ? undefined : { api_key: player_key },
      channelInAddress,
    )
    const principal = await identify(parts.principals, credential)
    request.caller = principal
    const viewer = {
      site_id: principal.siteId,
      sees_hidden: seesHidden(principal, catalog.videos),
      consumer_id: principal.consumerId ?? '',
    }
    const video = await findVideo(parts, viewer, id)
    const domains = domainsFor(principal, video.channel)
    const ours = new URL(playerUrl).origin
    if (!siteRule(domains, request.headers, ours)) throw wrongSite()
    // What everybody may watch has the same address for all of them, so that caches can answer.
    const consumer_id = isForEverybody(video.record) ? '' : viewer.consumer_id
    const seen = { ...viewer, consumer_id, encrypted: video.channel.hls_encryption }
    return {
      seen,
      video,
      consumerId: viewer.consumer_id,
      framing: frameAncestors(domains, ours),
      isCounted: !(video.channel.respect_do_not_track && asksNotToBeTracked(request)),
      playerKey: () => playerKeyFor(parts, principal, credential),
    }
  }
  return whileAlive(parts.database.db, ask(), () => unavailable(undefined))
}

/** The keys that stand in pages are bound to sites. The others belong to apps and servers, which have none. */
const domainsFor = ({ kind }: Principal, { embed_domains }: Channel): readonly string[] =>
  kind === 'player' || kind === 'read_only' ? embed_domains : []

const asksNotToBeTracked = ({ headers }: FastifyRequest) => headers.dnt === '1' || headers['sec-gpc'] === '1'

const wrongSite = () =>
  forbidden(
    'Its publisher shows this video on certain sites only, and this is not one of them.',
    'wrong_site',
  )

/** What a signed address opens. */
export function claimsOf({ sealer }: Parts, token: string): AddressClaims {
  const claims = openAddress(sealer, token)
  if (claims) return claims
  throw forbidden('This address has expired, or is not one of ours. Ask for the video again.')
}

/** What the address of a request opens. */
export interface Opened {
  readonly source: Source
  readonly wanted: Wanted
  readonly encrypted: boolean
}

/** The source that the address of a request opens, if its video is still to be seen. */
export async function opened({ parts }: Playback, request: FastifyRequest): Promise<Opened> {
  const claims = claimsOf(parts, inPath(request, 'token'))
  const { db } = parts.database
  const find = async () => {
    const wanted = await checkStillSeen(parts, claims, claims.video_id)
    const source = await findSource(db, claims.site_id, claims.source_id)
    if (!source) throw notFound('video')
    return { source, wanted, encrypted: claims.encrypted }
  }
  return whileAlive(db, find(), () => unavailable(undefined))
}
