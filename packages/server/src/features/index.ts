import { type Catalog, catalog, type Operation, type Resource } from '@zoetrope/contract'
import type { Feature } from '../resources/feature.js'
import { standard } from '../resources/standard.js'
import { withPlainTitle, withStorage } from './account.js'
import { adTagOperations } from './ad-tags/operations.js'
import { createApp, getOwnApp, rotateApp, withMaskedSecrets } from './apps.js'
import { performBatch } from './batches.js'
import type { RunOf } from './call-of.js'
import { createCategory, removeCategory, updateCategory } from './categories.js'
import { createConsumer } from './consumers/create.js'
import { withHoldings } from './consumers/holdings.js'
import { resetPasswordAction, verifyEmailAction } from './consumers/mail-answers.js'
import { forgotPassword, sendVerification } from './consumers/mail-requests.js'
import { getConsumer, listConsumers } from './consumers/read.js'
import { endAllSessions, resetParentalCode, updateConsumer } from './consumers/update.js'
import { contentRules } from './content-rules/index.js'
import { withKnownProfile } from './content-rules/profiles.js'
import { entitlementFeatures } from './entitlements.js'
import { getEvent, listEvents } from './events/read.js'
import { undoing } from './events/undo.js'
import { getCosts } from './formats/costs.js'
import { updateFormats } from './formats/update.js'
import { guideFeatures } from './guides.js'
import { createNamedKey, updateNamedKey } from './keys.js'
import { partsOfVideos } from './parts-of-videos.js'
import { acquire, status } from './pin/ask.js'
import { link, unlink } from './pin/link.js'
import { createPlan, listPlans, removePlan, updatePlan } from './plans/operations.js'
import { addPlaylists, removePlaylists } from './plans/playlists.js'
import { createPlaylistToken, createSigningKey, createVideoToken } from './playback-tokens.js'
import { addVideos, orderVideos, removeVideos } from './playlists/members.js'
import { listPlaylists, withAttachedZobjects, withVideos } from './playlists/records.js'
import { videosRelative } from './playlists/relative.js'
import { relationships } from './playlists/tree.js'
import { listPlaylistVideos } from './playlists/videos.js'
import { createPlaylist, removePlaylist, updatePlaylist } from './playlists/write.js'
import { listPlays, withTitles } from './plays/list.js'
import { withValidity } from './redemption-codes/codes.js'
import { bulkCreate, createCode, updateCode } from './redemption-codes/operations.js'
import { redeem } from './redemption-codes/redeem.js'
import { referring } from './references.js'
import { createSegment, removeSegment, updateSegment } from './segments/change.js'
import { createSelfHostedVideo } from './self-hosted/change.js'
import {
  cancelSubscription,
  createSubscription,
  reactivateSubscription,
  updateSubscription,
  withDays,
} from './subscriptions/operations.js'
import { downloadSubtitle } from './subtitles/download.js'
import { createSubtitle, shiftSubtitle, updateSubtitle } from './subtitles/operations.js'
import { thenForget } from './then-forget.js'
import { createTransaction, removeTransaction, updateTransaction } from './transactions/operations.js'
import { createUpload, createUploadToken, listUploads, removeUpload, updateUpload } from './uploads.js'
import { createUser, removeUser, updateUser } from './users/operations.js'
import { createFavorite, listFavorites } from './video-favorites.js'
import { getDownload, listSources } from './video-files.js'
import { createRating, withEmail } from './video-ratings.js'
import { entitled } from './videos/may-watch.js'
import { automaticPoster, choosePoster } from './videos/poster.js'
import { getVideo, withReadOptions } from './videos/read.js'
import { purgeVideo, removeVideo, restoreVideo } from './videos/removal.js'
import { restoreVersion } from './videos/restore-version.js'
import { retryVideo } from './videos/retry.js'
import { searchVideos } from './videos/search.js'
import { updateVideo } from './videos/update.js'
import { createVideo } from './videos/write.js'
import { webhookFeatures } from './webhooks.js'
import { createType, removeType, updateType } from './zobject-types/change.js'
import {
  createZobject,
  getZobject,
  listZobjects,
  removeZobject,
  updateZobject,
} from './zobjects/operations.js'
import {
  addPlaylistsToZobject,
  listPlaylistsOfZobject,
  removePlaylistsFromZobject,
} from './zobjects/playlists.js'
import {
  addVideosToZobject,
  addZobjectsToVideo,
  listVideosOfZobject,
  removeVideosFromZobject,
  removeZobjectsFromVideo,
} from './zobjects/videos.js'

/** Makes the compiler check that every declared action is implemented, with the body that the contract declares. */
type Features = {
  readonly [K in keyof Catalog]: {
    readonly operations?: { readonly [O in Operation]?: RunOf<K, O> }
    readonly actions: { readonly [A in keyof Catalog[K]['actions']]: RunOf<K, A> }
  }
}

/** The operations and actions of resources that differ from the standard ones. */
export const features: Features = {
  videos: {
    operations: {
      list: searchVideos,
      get: getVideo,
      create: withKnownProfile(createVideo),
      update: withKnownProfile(updateVideo),
      remove: removeVideo,
    },
    actions: {
      entitled,
      add_zobjects: addZobjectsToVideo,
      remove_zobjects: removeZobjectsFromVideo,
      poster: choosePoster,
      automatic_poster: automaticPoster,
      create_self_hosted: createSelfHostedVideo,
      restore: restoreVideo,
      purge: purgeVideo,
      restore_version: restoreVersion,
      retry: retryVideo,
    },
  },
  subtitles: {
    operations: { create: createSubtitle, update: updateSubtitle },
    actions: { download: downloadSubtitle, shift: shiftSubtitle },
  },
  segments: {
    operations: { create: createSegment, update: updateSegment, remove: removeSegment },
    actions: {},
  },
  ...partsOfVideos,
  ...contentRules,
  zobject_types: {
    operations: { create: createType, update: updateType, remove: removeType },
    actions: {},
  },
  zobjects: {
    operations: {
      list: listZobjects,
      get: getZobject,
      create: createZobject,
      update: updateZobject,
      remove: removeZobject,
    },
    actions: {
      add_videos: addVideosToZobject,
      remove_videos: removeVideosFromZobject,
      videos: listVideosOfZobject,
      add_playlists: addPlaylistsToZobject,
      remove_playlists: removePlaylistsFromZobject,
      playlists: withAttachedZobjects(withVideos(listPlaylistsOfZobject)),
    },
  },
  sources: { operations: { list: listSources }, actions: {} },
  downloads: { operations: { get: getDownload }, actions: {} },
  video_playback_tokens: { operations: { create: createVideoToken }, actions: {} },
  playlist_playback_tokens: { operations: { create: createPlaylistToken }, actions: {} },
  signing_keys: { operations: { create: createSigningKey }, actions: {} },
  categories: {
    operations: { create: createCategory, update: updateCategory, remove: removeCategory },
    actions: {},
  },
  playlists: {
    operations: {
      list: withAttachedZobjects(withVideos(listPlaylists)),
      get: withAttachedZobjects(withVideos(standard.get)),
      create: withKnownProfile(withVideos(createPlaylist)),
      update: withKnownProfile(withVideos(updatePlaylist)),
      remove: removePlaylist,
    },
    actions: {
      videos: listPlaylistVideos,
      videos_relative: withReadOptions(videosRelative),
      add_videos: addVideos,
      remove_videos: removeVideos,
      order_videos: orderVideos,
      relationships,
    },
  },
  ...guideFeatures,
  apps: {
    operations: {
      list: withMaskedSecrets(standard.list),
      get: withMaskedSecrets(standard.get),
      create: withMaskedSecrets(referring(createApp)),
      update: withMaskedSecrets(thenForget(referring(standard.update))),
      remove: thenForget(standard.remove),
    },
    actions: { rotate: rotateApp },
  },
  own_app: { operations: { get: getOwnApp }, actions: {} },
  keys: {
    operations: {
      create: createNamedKey,
      update: thenForget(updateNamedKey, 'keyId'),
      remove: thenForget(standard.remove, 'keyId'),
    },
    actions: {},
  },
  ...webhookFeatures,
  users: {
    operations: { create: createUser, update: updateUser },
    actions: { detach: removeUser },
  },
  account: {
    operations: {
      get: withStorage(standard.get),
      update: withStorage(withPlainTitle(thenForget(standard.update))),
    },
    actions: {},
  },
  formats: { operations: { update: updateFormats }, actions: {} },
  format_costs: { operations: { get: getCosts }, actions: {} },
  consumers: {
    operations: {
      list: withHoldings(listConsumers),
      create: withHoldings(createConsumer),
      get: withHoldings(getConsumer),
      update: withHoldings(updateConsumer),
      remove: thenForget(standard.remove, 'consumerId'),
    },
    actions: {
      forgot_password: forgotPassword,
      reset_password: resetPasswordAction,
      send_verification: sendVerification,
      verify_email: verifyEmailAction,
      reset_parental_access_code: withHoldings(resetParentalCode),
      end_sessions: endAllSessions,
    },
  },
  video_favorites: { operations: { create: createFavorite, list: listFavorites }, actions: {} },
  ...entitlementFeatures,
  video_ratings: {
    operations: { list: withEmail(standard.list), create: withEmail(createRating) },
    actions: {},
  },
  plays: { operations: { list: listPlays, get: withTitles(standard.get) }, actions: {} },
  sessions: { operations: { remove: thenForget(standard.remove, 'sessionId') }, actions: {} },
  linked_devices: {
    operations: { remove: thenForget(standard.remove, 'consumerId', 'consumer_id') },
    actions: {},
  },
  pin: { actions: { acquire, status, link, unlink } },
  devices: { actions: {} },
  device_categories: { actions: {} },
  uploads: {
    operations: { list: listUploads, create: createUpload, update: updateUpload, remove: removeUpload },
    actions: {},
  },
  upload_tokens: {
    operations: { create: createUploadToken, remove: thenForget(standard.remove, 'uploadTokenId') },
    actions: {},
  },
  plans: {
    operations: { list: listPlans, create: createPlan, update: updatePlan, remove: removePlan },
    actions: { add_playlists: addPlaylists, remove_playlists: removePlaylists },
  },
  pass_plans: { actions: {} },
  revenue_models: { actions: {} },
  ad_tags: { operations: adTagOperations, actions: {} },
  subscriptions: {
    operations: {
      list: withDays(standard.list),
      get: withDays(standard.get),
      create: withDays(createSubscription),
      update: withDays(updateSubscription),
    },
    actions: { cancel: withDays(cancelSubscription), reactivate: withDays(reactivateSubscription) },
  },
  subscription_entitlements: { actions: {} },
  transactions: {
    operations: {
      create: createTransaction,
      update: updateTransaction,
      remove: removeTransaction,
    },
    actions: {},
  },
  redemption_codes: {
    operations: {
      list: withValidity(standard.list),
      get: withValidity(standard.get),
      create: withValidity(createCode),
      update: withValidity(updateCode),
    },
    actions: { redeem: withValidity(redeem), bulk_create: bulkCreate },
  },
  batches: { operations: { create: performBatch }, actions: {} },
  events: { operations: { list: listEvents, get: getEvent }, actions: { undo: undoing(featureOf) } },
}

/** The features of a resource with a table. */
function featureOf({ plural }: Pick<Resource, 'plural'>): Feature {
  const found = Object.entries(catalog).find(([, each]) => each.plural === plural && !each.derived)
  return found ? features[found[0] as keyof Catalog] : {}
}
