import { catalog } from '@zoetrope/contract'
import { raw } from '../db/fragment.js'
import { ApiError, forbidden, notFound } from '../errors.js'
import { checkVerdict, type Verdict, verdictColumn } from '../features/content-rules/verdict.js'
import type { File } from '../features/self-hosted/files.js'
import {
  checkMayWatch,
  type Entitlements,
  entitlementsColumn,
  isForEverybody,
  type Terms,
} from '../features/videos/may-watch.js'
import { grantColumn, isOfToken } from '../films/address-grant.js'
import { isId } from '../lib/object-id.js'
import { createRecent } from '../lib/recent.js'
import type { GeoLookup, KnownSurroundings } from '../lib/surroundings.js'
import { findSource } from '../media-segments/find-source.js'
import {
  published,
  publishedRungs,
  publishesHls,
  type RequestedFormats,
} from '../media-segments/published.js'
import type { Source } from '../media-segments/source-plan.js'
import type { Parts } from '../resources/feature.js'
import { withinScope } from '../resources/store.js'
import type { PlayerThumbnail } from './thumbnails.js'

const { videos } = catalog

/** The part of a video's record that players receive. */
export interface PlayerRecord extends Terms {
  readonly _id: string
  readonly title: string
  readonly friendly_title?: string
  readonly description?: string | null
  readonly short_description?: string | null
  readonly published_at: string
  readonly duration?: number | null
  readonly status: string
  readonly status_reason?: string | null
  readonly playable_at?: string | null
  readonly on_air?: boolean | null
  readonly custom_thumbnail_url?: string | null
  readonly thumbnails?: readonly Partial<Record<keyof PlayerThumbnail, unknown>>[] | null
  /** Chapters, in milliseconds. */
  readonly segments?: readonly {
    readonly start: number
    readonly end: number | null
    readonly description: string
  }[]
  readonly renditions?: readonly {
    readonly name: string
    readonly status: string
    readonly progress?: number
  }[]
  readonly [field: string]: unknown
}

/** A channel's settings for showing videos. */
export interface PlayerChannel {
  readonly title: string
  readonly embed_domains: readonly string[]
  readonly hls_encryption: boolean
  /** Whether viewers share the addresses of segments, even of videos that not everybody may watch. */
  readonly shared_segments: boolean
  readonly respect_do_not_track: boolean
  readonly player_color: string | null
  readonly player_logo_url: string | null
  readonly player_autoplay: boolean
  readonly player_muted: boolean
  readonly player_loop: boolean
  readonly player_controls: boolean
}

export interface PlayableVideo {
  readonly record: PlayerRecord
  readonly channel: PlayerChannel
  /** What to play; absent while it is being prepared, and if that failed. */
  readonly source: Source | undefined
  /** Files at other addresses that are played instead. */
  readonly elsewhere: readonly File[]
  /** Whether players load anything from other addresses. */
  readonly leadsOut: boolean
  readonly wanted: RequestedFormats
  /** Whether content rules apply. */
  readonly isRuled: boolean
}

/** The channel and the viewer. */
interface Viewer {
  readonly site_id: string
  readonly sees_hidden: boolean
  /** Empty for anonymous viewers. */
  readonly consumer_id: string
  /** The session or key that access depends on, see `films/address-grant.ts`. */
  readonly grant: string
  /** Whether access was checked before, and is not checked again. */
  readonly is_admitted?: boolean
}

/** Whom addresses are made for, and how their content is sent. */
export interface AddressScope extends Viewer {
  /** Device, app and site, if rules depend on them; else empty. */
  readonly client_facts: string
  readonly encrypted: boolean
  /** The addresses end then at the latest, in milliseconds since 1970. */
  readonly until?: number
}

/** What content rules check. Without surroundings nobody is watching, and rules do not apply. */
export interface Watching {
  readonly geo: GeoLookup
  readonly surroundings: KnownSurroundings | undefined
}

/** The current state of the video, if this viewer may watch it. */
export async function findVideo(
  parts: Parts,
  seen: Viewer,
  watching: Watching,
  id: string,
): Promise<PlayableVideo> {
  const row = await watchable(parts, seen, watching, id)
  const { record, channel, media_source_id, wanted, elsewhere, has_playlists, verdict } = row
  const { db } = parts.database
  const video: PlayerRecord = JSON.parse(record)
  // A source has its plan before its first segments exist, and keeps it if they cannot be made.
  const isReady = video.status === 'ready' && media_source_id !== null && elsewhere === null
  const source = isReady ? await findSource(parts.cache, db, seen.site_id, media_source_id) : undefined
  const leadsOut = has_playlists || elsewhere !== null
  const isRuled = verdict !== null
  return { record: video, channel, source, wanted, elsewhere: elsewhere ?? [], leadsOut, isRuled }
}

async function watchable(parts: Parts, viewer: Viewer, watching: Watching, id: string): Promise<VideoRow> {
  const [row] = isId(id) ? await look(parts, viewer, watching, id) : []
  if (!row) throw notFound('video')
  if (!row.is_granted) throw isOfToken(viewer.grant) ? notOfToken() : sessionEnded()
  if (viewer.sees_hidden) return row
  if (!viewer.is_admitted && !isOfToken(viewer.grant))
    checkMayWatch(JSON.parse(row.record), row.entitlements ?? undefined)
  if (!row.entitlements?.super_watcher) checkVerdict(row.verdict, watching.geo)
  return row
}

const sessionEnded = () =>
  forbidden('Your session has ended. Sign in again to watch this video.', 'registration_required')

export const notOfToken = () =>
  forbidden('This link does not open this video, or no longer.', 'playback_token_invalid')

interface VideoRow {
  readonly record: string
  readonly media_source_id: string | null
  readonly wanted: RequestedFormats
  readonly channel: PlayerChannel
  readonly entitlements: Entitlements | null
  readonly is_granted: boolean
  readonly elsewhere: readonly File[] | null
  readonly has_playlists: boolean
  readonly verdict: Verdict
}

async function look(
  parts: Parts,
  { site_id, sees_hidden, consumer_id, grant }: Viewer,
  { surroundings }: Watching,
  id: string,
) {
  // Apply switches that are due. A run under way may have started before the newest fell due, hence two
  // rounds.
  for (let round = 0; round < 2 && parts.freshness.due(); round += 1) await parts.freshness.settle()
  return parts.database.db<VideoRow[]>`
    select record, media_source_id, wanted_formats(site_id, formats) as wanted, (
      select to_json(channel) from (
        select title, embed_domains, hls_encryption, shared_segments, respect_do_not_track, player_color, player_logo_url,
          player_autoplay, player_muted, player_loop, player_controls
        from channels where _id = ${site_id}
      ) as channel
    ) as channel, ${entitlementsColumn(consumer_id)} as entitlements, ${grantColumn(grant)} as is_granted, (
      select files from self_hosted_sources as elsewhere
      where elsewhere.site_id = videos.site_id and elsewhere.video_id = videos._id and elsewhere.active
    ) as elsewhere, exists (
      select from subtitle_playlists as given
      where given.site_id = videos.site_id and given.video_id = videos._id
    ) as has_playlists, ${verdictColumn(surroundings)} as verdict from ${raw(videos.plural)}
    where ${withinScope(videos, { site_id }, sees_hidden)} and _id = ${id}
  `
}

/** The source of a video that has playlists now; else throws the reason. */
export function playable({ source, record, wanted, elsewhere }: PlayableVideo): Source {
  if (source) return withPlaylists(source, wanted)
  if (elsewhere.length > 0) throw onlyFiles()
  throw new ApiError(404, whyNotPlayable(record))
}

/** The film of a video, whatever formats it has; else throws the reason. */
export function filmOf({ source, record, elsewhere }: PlayableVideo): Source {
  if (source) return source
  if (elsewhere.length > 0) throw new ApiError(404, 'The film of this video is at another address.')
  throw new ApiError(404, whyNotPlayable(record))
}

/** The source reduced to the formats in its playlists. */
export function withPlaylists(source: Source, wanted: RequestedFormats): Source {
  if (publishesHls(wanted)) return published(source, wanted)
  throw onlyFiles()
}

const onlyFiles = () =>
  new ApiError(404, 'This video has no playlists, only files. GET /embed/{id} has their addresses.')

function whyNotPlayable({ status, status_reason }: PlayerRecord): string {
  if (status === 'failed') return status_reason || 'This video could not be prepared.'
  return status === 'created' ? 'This video has no file yet.' : 'This video is being prepared.'
}

/** Segments are requested by the hundred, so offers are cached. Revoked access ends within these milliseconds. */
const cachedMs = 2000
const offerCache = () => createRecent<Offer>(cachedMs, 10_000)

/** Which formats of a video the viewer may have, and who else may have them. */
interface Offer {
  readonly wanted: RequestedFormats
  /** Whether content rules apply, so that others may have less. */
  readonly isRuled: boolean
  /** Whether viewers share the addresses of its segments, so that caches can keep them. */
  readonly isShared: boolean
  /** Whether nobody has to sign in or pay. */
  readonly isOpen: boolean
}

/** Returns what a viewer may still see of a video; throws if that is nothing, although its signed URL has not expired. */
export async function checkStillSeen(
  parts: Parts,
  seen: Viewer,
  watching: Watching,
  id: string,
): Promise<Offer> {
  const recent = parts.cache(offerCache)
  const whose = `${seen.site_id} ${id} ${seen.sees_hidden} ${seen.consumer_id} ${seen.grant} ${seen.is_admitted ?? false}`
  const known = recent.known(whose)
  if (known) return known
  const where = `${whose} ${JSON.stringify(watching.surroundings)}`
  const offer = await recent.find(where, async () => {
    const { wanted, verdict, record, channel } = await watchable(parts, seen, watching, id)
    const [isRuled, isOpen] = [verdict !== null, isForEverybody(JSON.parse(record))]
    return { wanted, isRuled, isOpen, isShared: sharesSegments(parts, seen, { isRuled, isOpen, channel }) }
  })
  if (!offer) throw notFound('video')
  // Without content rules, the offer does not depend on where the viewer is.
  if (!offer.isRuled) await recent.find(whose, async () => offer)
  return offer
}

/**
 * Whether viewers share the addresses of segments and files. Those of videos that not everybody may watch are shared only
 * for a CDN, or if the channel wants it: anyone who has a shared address can use it until it expires.
 */
export const sharesSegments = (
  { mediaUrl, playerUrl }: Pick<Parts, 'mediaUrl' | 'playerUrl'>,
  { sees_hidden }: Pick<Viewer, 'sees_hidden'>,
  video: { readonly isRuled: boolean; readonly isOpen: boolean; readonly channel: PlayerChannel },
): boolean =>
  !sees_hidden && !video.isRuled && (video.isOpen || video.channel.shared_segments || mediaUrl !== playerUrl)

type Shape = Pick<PlayerThumbnail, 'width' | 'height'>
const usualShape: Shape = { width: 640, height: 360 }

/** The video's largest size. */
export function largestSize({ source, wanted, elsewhere }: PlayableVideo): Shape {
  const [first] = elsewhere
  if (first?.width && first.height) return { width: first.width, height: first.height }
  const largest = [...(source ? publishedRungs(source.plan, wanted) : [])].sort(
    (a, b) => b.height - a.height,
  )[0]
  return largest ? { width: largest.width, height: largest.height } : usualShape
}
