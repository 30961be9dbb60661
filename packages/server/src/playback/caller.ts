import { catalog } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import { identifyPresented, presentedBy } from '../api/credential.js'
import { channelInAddress } from '../api/dashboard-session.js'
import { mayDo, notAllowed, seesHidden, watcherOf } from '../auth/access.js'
import type { Principal } from '../auth/principals.js'
import { surroundingsOf } from '../edge/origin.js'
import { forbidden, notFound, unavailable } from '../errors.js'
import { isForEverybody } from '../features/videos/may-watch.js'
import { grantOf, grantOfToken } from '../films/address-grant.js'
import type { FilmClaims } from '../films/film-address.js'
import { type AddressClaims, expiryFrom, openAddress } from '../films/signed-address.js'
import type { KnownSurroundings, Surroundings } from '../lib/surroundings.js'
import { whileAlive } from '../lib/while-alive.js'
import { findSource } from '../media-segments/find-source.js'
import type { RequestedFormats } from '../media-segments/published.js'
import type { Source } from '../media-segments/source-plan.js'
import type { Parts } from '../resources/feature.js'
import { frameAncestors, type SiteRule } from './embed-domains.js'
import { refuseIgnored } from './ignored-parameters.js'
import { inPath, type Playback } from './playback.js'
import { type PlayerCaller, playerKeyFor, tokenHolder } from './player-key.js'
import { immutableUntil } from './send-object.js'
import {
  type AddressScope,
  checkStillSeen,
  findVideo,
  notOfToken,
  type PlayableVideo,
  type PlayerChannel,
  type Watching,
} from './videos.js'

/** A player request with a credential, resolved to its video. */
export interface PlayerRequest {
  readonly seen: AddressScope
  readonly video: PlayableVideo
  /** The `frame-ancestors` directive of the page. */
  readonly framing: string | undefined
  /** The signed-in consumer; empty for anonymous viewers. */
  readonly consumerId: string
  /** Where and on what the video will be watched; undefined if nobody is about to watch. */
  readonly surroundings: Surroundings | undefined
  /** Whether a publisher watches in the dashboard. */
  readonly isPreview: boolean
  /** Whether this viewer's plays are counted. */
  readonly isCounted: boolean
  /** The key that may appear in a page. */
  playerKey(): Promise<string>
}

/** The playback token in a request. It may stand beside the player key of an embed, and decides then. */
export function playbackTokenIn(request: FastifyRequest): string | undefined {
  const given = queryOf(request).playback_token ?? request.headers['x-playback-token']
  return given === undefined || given === '' ? undefined : String(given)
}

/** The caller of a player request. Every kind of credential is accepted; a named key must be able to read videos. */
export async function callerOf({ parts }: Playback, request: FastifyRequest): Promise<PlayerCaller> {
  const token = playbackTokenIn(request)
  if (token !== undefined) {
    const holder = await tokenHolder(parts, token)
    request.caller = holder.principal
    return holder
  }
  const { player_key } = queryOf(request)
  // Another name for api_key, in player requests only.
  const presented = presentedBy(
    request,
    player_key === undefined ? undefined : { api_key: player_key },
    channelInAddress,
  )
  const principal = await identifyPresented(parts.principals, presented, true)
  request.caller = principal
  if (principal.isStrict) refuseIgnored(request)
  checkPlayerScope(principal)
  return { principal, credential: presented.credential }
}

export function checkPlayerScope(principal: Principal): void {
  if (principal.kind === 'named' && !mayDo(principal, catalog.videos, 'get'))
    throw notAllowed(principal, catalog.videos, 'get')
}

/** The video that a request with a credential is about. */
export async function requestedVideo(
  playback: Playback,
  request: FastifyRequest,
  id: string,
  siteRule: SiteRule,
  from: Surroundings | undefined,
  findCaller = callerOf,
): Promise<PlayerRequest> {
  const { parts, playerUrl } = playback
  const ask = async () => {
    const { principal, credential, token } = await findCaller(playback, request)
    if (token?.audience === 'video' && token.subject !== id) throw notOfToken()
    const viewer = {
      site_id: principal.siteId,
      sees_hidden: seesHidden(principal, catalog.videos),
      consumer_id: watcherOf(principal),
      grant: token ? grantOfToken(token) : grantOf(principal),
    }
    const surroundings = from && { ...from, app_id: principal.appId ?? '' }
    const video = await findVideo(parts, viewer, { geo: request.geo, surroundings }, id)
    const domains = domainsFor(principal, video.channel)
    const ours = new URL(playerUrl).origin
    const isPreview = principal.publisherId !== undefined
    if (!siteRule(domains, request.headers, ours)) throw wrongSite()
    return {
      seen: { ...viewer, ...asSeenBy(video, viewer, surroundings), ...(token && { until: token.expires }) },
      video,
      consumerId: viewer.consumer_id,
      surroundings,
      framing: frameAncestors(domains, ours),
      isPreview,
      isCounted: !isPreview && !(video.channel.respect_do_not_track && asksNotToBeTracked(request)),
      playerKey: () => playerKeyFor(parts, principal, credential),
    }
  }
  return whileAlive(parts.database, ask(), () => unavailable(undefined))
}

/** A video open to everyone has the same address for all viewers, so that caches can serve it. */
function asSeenBy(
  { record, isRuled, channel }: PlayableVideo,
  { consumer_id, sees_hidden, grant }: Pick<AddressScope, 'consumer_id' | 'sees_hidden' | 'grant'>,
  from: Surroundings | undefined,
) {
  const isForOne = isRuled || !isForEverybody(record)
  return {
    consumer_id: isForOne ? consumer_id : '',
    grant: isForOne || sees_hidden ? grant : '',
    client_facts: isRuled ? clientFactsOf(from) : '',
    encrypted: channel.hls_encryption,
  }
}

/**
 * Player keys appear in pages and are bound to sites. Other keys belong to apps and servers, which have no
 * site.
 */
export const domainsFor = (
  { kind }: Principal,
  { embed_domains }: Pick<PlayerChannel, 'embed_domains'>,
): readonly string[] => (kind === 'player' || kind === 'read_only' ? embed_domains : [])

const asksNotToBeTracked = ({ headers }: FastifyRequest) => headers.dnt === '1' || headers['sec-gpc'] === '1'

export const wrongSite = () =>
  forbidden(
    'Its publisher shows this video on certain sites only, and this is not one of them.',
    'wrong_site',
  )

/** The claims of a signed address. */
export function claimsOf({ sealer }: Parts, token: string): AddressClaims {
  const claims = openAddress(sealer, token)
  if (claims) return claims
  throw forbidden('This address has expired, or is not one of ours. Ask for the video again.')
}

/** The client facts that a signed address carries. The location is taken from each request instead. */
export const clientFactsOf = (from: KnownSurroundings | undefined): string =>
  from
    ? JSON.stringify([from.device, from.app_id, from.host, from.port].filter((each) => each !== undefined))
    : ''

/**
 * Who watches with a signed address: the client facts in the address, and the location of the request. An
 * address made before rules existed carries no facts.
 */
export function watchingBy(request: FastifyRequest, { client_facts }: AddressClaims): Watching {
  const { address, place } = surroundingsOf(request)
  const [device, app_id, host, port] = client_facts === '' ? [] : (JSON.parse(client_facts) as string[])
  const begun = device === undefined || app_id === undefined ? {} : { device, app_id }
  const around = host === undefined || port === undefined ? {} : { host, port }
  return { geo: request.geo, surroundings: { address, place, ...begun, ...around } }
}

/** The content that a signed address opens. */
export interface OpenedSource {
  readonly source: Source
  readonly wanted: RequestedFormats
  readonly encrypted: boolean
  /** Until when its address works, in milliseconds since 1970. */
  readonly expires: number
  /** The Cache-Control header: who may cache it, and for how long. */
  readonly caching: Readonly<Record<'cache-control', string>>
  /** The claims of the addresses that viewers share, if every viewer who may watch gets the same. */
  readonly shared?: Omit<FilmClaims, 'track'> | undefined
}

/**
 * Addresses that viewers share live no longer than the address that led to them, nor than one that is made now: addresses
 * in feeds live for days.
 */
export const sharedClaims = (
  source_id: string,
  given: { readonly encrypted: boolean; readonly isOpen: boolean; readonly expires?: number },
): Omit<FilmClaims, 'track'> => {
  const expires = Math.min(given.expires ?? Number.POSITIVE_INFINITY, expiryFrom(Date.now()))
  return { source_id, encrypted: given.encrypted, is_admitted: !given.isOpen, expires }
}

/** The source that a signed address opens, if its video is still available. */
export async function opened({ parts }: Playback, request: FastifyRequest): Promise<OpenedSource> {
  const claims = claimsOf(parts, inPath(request, 'token'))
  const { db } = parts.database
  const find = async () => {
    const { wanted, isShared, isOpen } = await checkStillSeen(
      parts,
      claims,
      watchingBy(request, claims),
      claims.video_id,
    )
    const source = await findSource(parts.cache, db, claims.site_id, claims.source_id)
    if (!source) throw notFound('video')
    const { encrypted, expires } = claims
    const shared = isShared ? sharedClaims(source._id, { encrypted, isOpen, expires }) : undefined
    const caching = immutableUntil(expires, isShared && isOpen)
    return { wanted, source, encrypted, expires, caching, shared }
  }
  return whileAlive(parts.database, find(), () => unavailable(undefined))
}
