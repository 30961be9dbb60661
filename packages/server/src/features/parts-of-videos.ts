import { createAdTiming, listAdTimings, updateAdTiming } from './ad-timings/change.js'
import { listOfVideo } from './ad-timings/of-video.js'
import { createAudioTrack, removeAudioTrack, updateAudioTrack } from './audio-tracks/operations.js'
import { createSelfHosted, removeSelfHosted, updateSelfHosted } from './self-hosted/change.js'
import { createSubtitlePlaylist } from './subtitle-playlists/create.js'

/** The features of resources nested in videos. */
export const partsOfVideos = {
  video_versions: { actions: {} },
  ad_timings: {
    operations: { list: listAdTimings, create: createAdTiming, update: updateAdTiming },
    actions: {},
  },
  audio_tracks: {
    operations: { create: createAudioTrack, update: updateAudioTrack, remove: removeAudioTrack },
    actions: {},
  },
  video_ad_timings: { operations: { list: listOfVideo }, actions: {} },
  subtitle_playlists: { operations: { create: createSubtitlePlaylist }, actions: {} },
  self_hosted_sources: {
    operations: { create: createSelfHosted, update: updateSelfHosted, remove: removeSelfHosted },
    actions: {},
  },
} as const
