import { catalog } from '@zoetrope/contract'
import { findFeedKey } from '../../auth/feed-keys.js'
import { invalidParameter, notFound, notSignedIn } from '../../errors.js'
import { ruledAmong } from '../../features/content-rules/verdict.js'
import { listPlaylistVideos } from '../../features/playlists/videos.js'
import type { File } from '../../features/self-hosted/files.js'
import type { Origin } from '../../lib/surroundings.js'
import type { Call } from '../../resources/feature.js'
import type { Playback } from '../playback.js'
import { type FeedItem, type FeedOptions, type FeedVideo, feedItem, type SoundAlone } from './feed-item.js'

/** A page of a feed, independent of the format. */
export interface FeedPage {
  readonly title: string
  readonly description: string
  readonly link: string
  readonly language: string | null
  readonly updatedAt: string
  readonly items: readonly FeedItem[]
  /** The number of the next page. */
  readonly next: number | undefined
}

interface FeedRow extends FeedOptions {
  readonly _id: string
  readonly site_id: string
  readonly playlist_id: string
  readonly title: string
  readonly description: string | null
  readonly link: string | null
  readonly language: string | null
  readonly item_limit: number
  readonly first_page: number
  readonly updated_at: string
}

export interface FeedRequest {
  readonly id: string
  readonly key: string
  readonly page: unknown
  readonly origin: Origin
}

const most = 100

/** The page of a feed that a key opens: films that are public now, in playlist order. */
export async function readFeed(
  playback: Playback,
  { id, key, page, origin }: FeedRequest,
): Promise<FeedPage> {
  const { parts } = playback
  const opened = await findFeedKey(parts.database.db, parts.sealer, key)
  if (!opened) throw notSignedIn()
  // Apply switches that are due.
  for (let round = 0; round < 2 && parts.freshness.due(); round += 1) await parts.freshness.settle()
  const feed = opened.feed_id === id ? await findFeed(playback, opened.site_id, id) : undefined
  if (!feed) throw notFound(catalog.feeds.name)
  const number = Math.max(pageIn(page, feed.first_page) - feed.first_page, 0)
  const { videos, hasMore } = await videosOn(playback, feed, number, origin)
  const elsewhere = await filesElsewhere(playback, feed, videos)
  const ids = videos.map(({ _id }) => _id)
  // A feed is not bound to a location or device, so videos with content rules are left out.
  const ruled = await ruledAmong(parts.database.db, feed.site_id, ids)
  const open = videos.filter(({ _id }) => !ruled.has(_id))
  const sounds = await soundsAlone(playback, feed, videos)
  const items = open.flatMap(
    (video) => feedItem(playback, video, feed, elsewhere.get(video._id), sounds.get(video._id)) ?? [],
  )
  return {
    title: feed.title,
    description: feed.description ?? feed.title,
    link: feed.link ?? playback.playerUrl,
    language: feed.language,
    updatedAt: [feed.updated_at, ...items.map(({ updatedAt }) => updatedAt)].sort().at(-1) ?? '',
    items,
    next: hasMore ? number + 1 + feed.first_page : undefined,
  }
}

/** The feed, if it and its playlist are available. */
async function findFeed({ parts }: Playback, site_id: string, id: string): Promise<FeedRow | undefined> {
  const [feed] = await parts.database.db<FeedRow[]>`
    select feeds._id, feeds.site_id, playlist_id, media, item_limit, first_page, hls_encryption as encrypted,
      coalesce(feeds.title, playlists.title) as title, feeds.language,
      coalesce(feeds.description, playlists.description) as description,
      coalesce(feeds.link, playlists.discovery_url) as link,
      iso(greatest(feeds.updated_at, playlists.updated_at)) as updated_at
    from feeds
    join playlists on playlists.site_id = feeds.site_id and playlists._id = playlist_id
    join channels on channels._id = feeds.site_id
    where feeds.site_id = ${site_id} and feeds._id = ${id} and feeds.active and playlists.active
  `
  return feed
}

function pageIn(given: unknown, first: number): number {
  if (given === undefined || given === '') return first
  if (/^\d{1,6}$/.test(String(given))) return Number(given)
  throw invalidParameter('page', 'must be a whole number, 0 or above')
}

/** Videos that anyone may watch at once. A feed cannot sell the others. */
const free = {
  status: 'ready',
  registration_required: 'false',
  subscription_required: 'false',
  pass_required: 'false',
  purchase_required: 'false',
  rental_required: 'false',
  redemption_code_required: 'false',
}

/** Several pages of the playlist's list of videos, as one. */
async function videosOn({ parts }: Playback, feed: FeedRow, number: number, origin: Origin) {
  const pages = Math.ceil(feed.item_limit / most)
  const videos: FeedVideo[] = []
  let hasMore = false
  for (let page = number * pages; page < (number + 1) * pages; page += 1) {
    const query = { ...free, page: String(page), per_page: String(Math.min(feed.item_limit, most)) }
    const answer = await listPlaylistVideos({ ...callOf(parts, feed, origin), query })
    const { response, pagination } = JSON.parse(answer?.json.toString() ?? '') as {
      response: FeedVideo[]
      pagination: { next: number | null }
    }
    videos.push(...response)
    hasMore = pagination.next !== null
    if (!hasMore) break
  }
  return { videos, hasMore }
}

/** The files of videos hosted elsewhere. */
async function filesElsewhere({ parts }: Playback, { site_id }: FeedRow, videos: readonly FeedVideo[]) {
  const ids = videos.map(({ _id }) => _id)
  const rows = await parts.database.db<{ video_id: string; files: readonly File[] }[]>`
    select video_id, files from self_hosted_sources where site_id = ${site_id} and video_id = any(${ids}) and active
  `
  return new Map(rows.map(({ video_id, files }) => [video_id, files]))
}

/** The videos that are audio only. */
async function soundsAlone({ parts }: Playback, { site_id }: FeedRow, videos: readonly FeedVideo[]) {
  const ids = videos.map(({ _id }) => _id)
  const rows = await parts.database.db<(SoundAlone & { video_id: string })[]>`
    select videos._id as video_id, exists (
      select from unnest(wanted_formats(videos.site_id, formats)) as format where format like 'hls%'
    ) as has_playlists
    from videos join sources on sources.site_id = videos.site_id and sources._id = media_source_id
    where videos.site_id = ${site_id} and videos._id = any(${ids}) and not facts ? 'video'
  `
  return new Map(rows.map(({ video_id, has_playlists }) => [video_id, { has_playlists }]))
}

/** The key of a feed shows only published videos. */
const callOf = (parts: Playback['parts'], { site_id, playlist_id }: FeedRow, origin: Origin): Call => ({
  ...origin,
  notice: () => undefined,
  parts,
  resource: catalog.playlists,
  principal: {
    kind: 'app',
    siteId: site_id,
    appId: undefined,
    consumerId: undefined,
    sessionId: undefined,
    uploadTokenId: undefined,
    publisherId: undefined,
    keyId: undefined,
    channelKeyId: undefined,
    isAllowedFrom: undefined,
    scope: '',
    requestsPerMinute: undefined,
    isStrict: false,
    firstPage: 0,
  },
  scope: { site_id },
  id: playlist_id,
  query: {},
  body: {},
})
