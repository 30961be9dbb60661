import { catalog, type RecordOf } from '@zoetrope/contract'
import { seesHidden, watcherOf } from '../../auth/access.js'
import type { Db } from '../../db/database.js'
import { grantOf } from '../../films/address-grant.js'
import { expiryFrom, signAddress } from '../../films/signed-address.js'
import type { Call, Run } from '../../resources/feature.js'
import { flagIn } from '../../resources/projection.js'
import { standard } from '../../resources/standard.js'
import { listAllowed, videosAllowed } from '../content-rules/allowed-here.js'
import { ruledAmong } from '../content-rules/verdict.js'
import { deriving, ifAsked } from '../derived.js'
import type { File } from '../self-hosted/files.js'
import { withZobjectDetails } from '../zobjects/details.js'
import { withRelated } from './related.js'

const { videos } = catalog
type Video = RecordOf<typeof videos>

const entitlements = [
  ...(['subscription_required', 'pass_required', 'purchase_required', 'rental_required'] as const),
  ...(['registration_required', 'redemption_code_required'] as const),
]

/** With manifest=true, adds the URL of the HLS playlist to videos that anybody may watch. */
const withManifest = ifAsked(
  ({ query }) => flagIn(query, 'manifest'),
  deriving<Video>(
    async (shown, call) => {
      const addressOf = await addresses(call, shown)
      return shown.map(addressOf).map((manifest) => (manifest ? { manifest } : {}))
    },
    ['manifest', 'related_videos'],
  ),
)

const withAttachedZobjects = withZobjectDetails<Video>(
  'video_zobjects',
  (_call, shown) => new Map(shown.map(({ _id, zobject_ids }) => [_id, zobject_ids])),
)

/** Supports the query options of every read of videos: manifests, related videos and zobject details. */
export const withReadOptions = (run: Run): Run => withManifest(withRelated(withAttachedZobjects(run)))

export const getVideo = withReadOptions(standard.get)
export const listVideos = withReadOptions(listAllowed(videosAllowed))

/** Returns a function that finds the URL of a video's playlist, if there is one for this caller. */
async function addresses(
  { parts, principal }: Call,
  shown: readonly Video[],
): Promise<(video: Video) => string | undefined> {
  const { database, sealer, playerUrl } = parts
  const { siteId: site_id, kind } = principal
  const [channel] = await database.db<{ encrypted: boolean; is_bound: boolean }[]>`
    select hls_encryption as encrypted, embed_domains <> '{}' as is_bound from channels where _id = ${site_id}
  `
  // Read-only keys are public. If embedding is limited to domains, the site is checked at playback, not here.
  if (!channel || (channel.is_bound && kind === 'read_only')) return () => undefined
  const common = {
    site_id,
    sees_hidden: seesHidden(principal, videos),
    consumer_id: watcherOf(principal),
    client_facts: '',
    grant: grantOf(principal),
    encrypted: channel.encrypted,
    expires: expiryFrom(Date.now()),
  }
  const elsewhere = await playlistsElsewhere(database.db, site_id, shown)
  const ids = shown.map(({ _id }) => _id)
  const ruled = await ruledAmong(database.db, site_id, ids)
  return (video) => {
    if (ruled.has(video._id)) return undefined
    if (isOpen(video) && elsewhere.has(video._id)) return elsewhere.get(video._id) ?? undefined
    const source_id = playableSource(video)
    if (source_id === undefined) return undefined
    const token = signAddress(sealer, { ...common, video_id: video._id, source_id })
    return `${playerUrl}/media/${token}/master.m3u8`
  }
}

const isOpen = (video: Video) => video.deleted_at === null && entitlements.every((name) => !video[name])

/** Returns the HLS playlists of self-hosted videos by id, or null for those that have only files. */
async function playlistsElsewhere(db: Db, site_id: string, shown: readonly Video[]) {
  const ids = shown.map(({ _id }) => _id)
  const rows = await db<{ video_id: string; files: readonly File[] }[]>`
    select video_id, files from self_hosted_sources where site_id = ${site_id} and video_id = any(${ids}) and active
  `
  return new Map(
    rows.map(({ video_id, files }) => [video_id, files.find(({ type }) => type === 'hls')?.url ?? null]),
  )
}

function playableSource(video: Video): string | undefined {
  if (video.status !== 'ready' || !isOpen(video)) return undefined
  if (!video.renditions.some(({ name }) => name.startsWith('hls_'))) return undefined
  return video.data_sources.find(({ active }) => active)?._id
}
