import type { Resource } from './resource.js'
import { account } from './resources/account.js'
import { adTags } from './resources/ad-tags.js'
import { adTimings, videoAdTimings } from './resources/ad-timings.js'
import { apps, ownApp } from './resources/apps.js'
import { audioTracks } from './resources/audio-tracks.js'
import { batches } from './resources/batches.js'
import { categories } from './resources/categories.js'
import { consumers } from './resources/consumers.js'
import { contentRuleProfiles } from './resources/content-rule-profiles.js'
import { categoryContentRules, playlistContentRules, videoContentRules } from './resources/content-rules.js'
import { deviceCategories, devices } from './resources/devices.js'
import { events } from './resources/events.js'
import { feedKeys, feeds } from './resources/feeds.js'
import { formatCosts, formats } from './resources/formats.js'
import { geoip } from './resources/geoip.js'
import { keys } from './resources/keys.js'
import { linkedDevices } from './resources/linked-devices.js'
import { pinResource } from './resources/pin.js'
import { passPlans, plans, revenueModels } from './resources/plans.js'
import { playlistPlaybackTokens, signingKeys, videoPlaybackTokens } from './resources/playback-tokens.js'
import { ownPlaylistEntitlements, playlistEntitlements } from './resources/playlist-entitlements.js'
import { playlists } from './resources/playlists.js'
import { plays } from './resources/plays.js'
import { programGuideEntries, programGuides } from './resources/program-guides.js'
import { redemptionCodes } from './resources/redemption-codes.js'
import { segments } from './resources/segments.js'
import { selfHostedSources } from './resources/self-hosted.js'
import { sessions } from './resources/sessions.js'
import { downloads, sources } from './resources/sources.js'
import { subscriptionEntitlements, subscriptions } from './resources/subscriptions.js'
import { subtitlePlaylists } from './resources/subtitle-playlists.js'
import { subtitles } from './resources/subtitles.js'
import { transactions } from './resources/transactions.js'
import { uploadTokens } from './resources/upload-tokens.js'
import { uploads } from './resources/uploads.js'
import { users } from './resources/users.js'
import { ownVideoEntitlements, videoEntitlements } from './resources/video-entitlements.js'
import { videoFavorites } from './resources/video-favorites.js'
import { videoImports } from './resources/video-imports.js'
import { videoRatings } from './resources/video-ratings.js'
import { videoSources } from './resources/video-sources.js'
import { videoVersions } from './resources/video-versions.js'
import { videos } from './resources/videos.js'
import { webhookDeliveries, webhooks } from './resources/webhooks.js'
import { zobjectTypes } from './resources/zobject-types.js'
import { zobjects } from './resources/zobjects.js'

/** Every resource, under the name it has in a client. */
export const catalog = {
  videos,
  video_versions: videoVersions,
  subtitles,
  audio_tracks: audioTracks,
  subtitle_playlists: subtitlePlaylists,
  segments,
  ad_timings: adTimings,
  video_ad_timings: videoAdTimings,
  video_content_rules: videoContentRules,
  playlist_content_rules: playlistContentRules,
  category_content_rules: categoryContentRules,
  content_rule_profiles: contentRuleProfiles,
  geoip,
  zobject_types: zobjectTypes,
  zobjects,
  sources,
  self_hosted_sources: selfHostedSources,
  downloads,
  video_playback_tokens: videoPlaybackTokens,
  playlist_playback_tokens: playlistPlaybackTokens,
  video_imports: videoImports,
  video_sources: videoSources,
  categories,
  playlists,
  feeds,
  feed_keys: feedKeys,
  program_guides: programGuides,
  program_guide_entries: programGuideEntries,
  apps,
  own_app: ownApp,
  account,
  keys,
  signing_keys: signingKeys,
  webhooks,
  webhook_deliveries: webhookDeliveries,
  users,
  formats,
  format_costs: formatCosts,
  consumers,
  video_favorites: videoFavorites,
  video_entitlements: videoEntitlements,
  playlist_entitlements: playlistEntitlements,
  own_video_entitlements: ownVideoEntitlements,
  own_playlist_entitlements: ownPlaylistEntitlements,
  video_ratings: videoRatings,
  plays,
  sessions,
  linked_devices: linkedDevices,
  pin: pinResource,
  devices,
  device_categories: deviceCategories,
  uploads,
  upload_tokens: uploadTokens,
  plans,
  pass_plans: passPlans,
  revenue_models: revenueModels,
  ad_tags: adTags,
  subscriptions,
  subscription_entitlements: subscriptionEntitlements,
  transactions,
  redemption_codes: redemptionCodes,
  events,
  batches,
} as const
export type Catalog = typeof catalog

/** The lists whose length and version the database keeps. Only their answers are kept in memory. */
export type CountedList = {
  [K in keyof Catalog]: Catalog[K]['counted'] extends true ? Catalog[K]['plural'] : never
}[keyof Catalog]

/** The counted list of a resource, or undefined. */
export const countedList = ({ counted, plural }: Pick<Resource, 'counted' | 'plural'>) =>
  counted ? (plural as CountedList) : undefined

/** The counted list that a write of a resource may change. */
export const touchedList = ({ counted, plural, shownIn }: Resource): CountedList | undefined =>
  counted ? (plural as CountedList) : shownIn
