import { catalog } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { seesHidden, watcherOf } from '../auth/access.js'
import type { Principal } from '../auth/principals.js'
import { forbidden, notFound, unavailable } from '../errors.js'
import { isForEverybody } from '../features/videos/may-watch.js'
import { type AddressClaims, openAddress } from '../films/signed-address.js'
import { queryOf } from '../http/brackets.js'
import { identifyPresented, presentedBy } from '../http/credential.js'
import { channelInAddress } from '../http/dashboard-session.js'
import { surroundingsOf } from '../http/origin.js'
import { whileAlive } from '../http/while-alive.js'
import type { KnownSurroundings, Surroundings } from '../lib/surroundings.js'
import type { Wanted } from '../media-segments/published.js'
import { findSource, type Source } from '../media-segments/source-plan.js'
import type { Parts } from '../resources/feature.js'
import { frameAncestors, type SiteRule } from './embed-domains.js'
import { inPath, type Playback } from './playback.js'
import { playerKeyFor } from './player-key.js'
import { immutableUntil } from './send-object.js'
import { type Channel, checkStillSeen, findVideo, type Seen, type Video, type Watching } from './videos.js'

/** What a request with a credential asks for. */
export interface Asked {
  readonly seen: Seen
  readonly video: Video
  /** What a page says about who may frame it. */
  readonly framing: string | undefined
  /** Who asks; empty for those who have not signed in. */
  readonly consumerId: string
  /** Where and on what it is to be watched, where somebody is about to. */
  readonly surroundings: Surroundings | undefined
  /** Whether the viewer's plays are counted. */
  readonly isCounted: boolean
  /** The key that may stand in a page. */
  playerKey(): Promise<string>
}

/** Who makes a player request. Every kind of credential does. */
export async function callerOf({ parts }: Playback, request: FastifyRequest) {
  const { player_key } = queryOf(request)
  // Another name for api_key, on player requests only.
  const presented = presentedBy(
    request,
    player_key === undefined ? undefined : { api_key: player_key },
    channelInAddress,
  )
  const principal = await identifyPresented(parts.principals, presented, true)
  request.caller = principal
  return { principal, credential: presented.credential }
}

/** The video that a request with a credential is about. */
export async function askedVideo(
  playback: Playback,
  request: FastifyRequest,
  id: string,
  siteRule: SiteRule,
  from: Surroundings | undefined,
  findCaller = callerOf,
): Promise<Asked> {
  const { parts, playerUrl } = playback
  const ask = async () => {
    const { principal, credential } = await findCaller(playback, request)
    const viewer = {
      site_id: principal.siteId,
      sees_hidden: seesHidden(principal, catalog.videos),
      consumer_id: watcherOf(principal),
    }
    const surroundings = from && { ...from, app_id: principal.appId ?? '' }
    const video = await findVideo(parts, viewer, { places: request.places, surroundings }, id)
    const domains = domainsFor(principal, video.channel)
    const ours = new URL(playerUrl).origin
    if (!siteRule(domains, request.headers, ours)) throw wrongSite()
    return {
      seen: { ...viewer, ...asSeenBy(video, viewer.consumer_id, surroundings) },
      video,
      consumerId: viewer.consumer_id,
      surroundings,
      framing: frameAncestors(domains, ours),
      isCounted: !(video.channel.respect_do_not_track && asksNotToBeTracked(request)),
      playerKey: () => playerKeyFor(parts, principal, credential),
    }
  }
  return whileAlive(parts.database, ask(), () => unavailable(undefined))
}

/** What everybody may watch has the same address for all of them, so that caches can answer. */
function asSeenBy({ record, isRuled, channel }: Video, consumer_id: string, from: Surroundings | undefined) {
  const isForOne = isRuled || !isForEverybody(record)
  return {
    consumer_id: isForOne ? consumer_id : '',
    told: isRuled ? toldIn(from) : '',
    encrypted: channel.hls_encryption,
  }
}

/** The keys that stand in pages are bound to sites. The others belong to apps and servers, which have none. */
export const domainsFor = (
  { kind }: Principal,
  { embed_domains }: Pick<Channel, 'embed_domains'>,
): readonly string[] => (kind === 'player' || kind === 'read_only' ? embed_domains : [])

const asksNotToBeTracked = ({ headers }: FastifyRequest) => headers.dnt === '1' || headers['sec-gpc'] === '1'

export const wrongSite = () =>
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

/** What an address keeps of where it was made for. The place is that of each request. */
export const toldIn = (from: KnownSurroundings | undefined): string =>
  from
    ? JSON.stringify([from.device, from.app_id, from.host, from.port].filter((each) => each !== undefined))
    : ''

/**
 * Who watches by a signed address: what it was made for, in the place that the request comes from. An address that was made
 * before there were rules knows nothing of that.
 */
export function watchingBy(request: FastifyRequest, { told }: AddressClaims): Watching {
  const { address, place } = surroundingsOf(request)
  const [device, app_id, host, port] = told === '' ? [] : (JSON.parse(told) as string[])
  const begun = device === undefined || app_id === undefined ? {} : { device, app_id }
  const around = host === undefined || port === undefined ? {} : { host, port }
  return { places: request.places, surroundings: { address, place, ...begun, ...around } }
}

/** What the address of a request opens. */
export interface Opened {
  readonly source: Source
  readonly wanted: Wanted
  readonly encrypted: boolean
  /** The header that says who may keep it, and how long. */
  readonly caching: Readonly<Record<'cache-control', string>>
}

/** The source that the address of a request opens, if its video is still to be seen. */
export async function opened({ parts }: Playback, request: FastifyRequest): Promise<Opened> {
  const claims = claimsOf(parts, inPath(request, 'token'))
  const { db } = parts.database
  const find = async () => {
    const { wanted, isRuled } = await checkStillSeen(
      parts,
      claims,
      watchingBy(request, claims),
      claims.video_id,
    )
    const source = await findSource(db, claims.site_id, claims.source_id)
    if (!source) throw notFound('video')
    const { encrypted, expires } = claims
    const isForAll = !isRuled && claims.consumer_id === '' && !claims.sees_hidden
    return { wanted, source, encrypted, caching: immutableUntil(expires, isForAll) }
  }
  return whileAlive(parts.database, find(), () => unavailable(undefined))
}
