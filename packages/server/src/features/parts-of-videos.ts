import { createAdTiming, listAdTimings, updateAdTiming } from './ad-timings/change.js'
import { listOfVideo } from './ad-timings/of-video.js'

/** What lies in videos. */
export const partsOfVideos = {
  ad_timings: {
    operations: { list: listAdTimings, create: createAdTiming, update: updateAdTiming },
    actions: {},
  },
  video_ad_timings: { operations: { list: listOfVideo }, actions: {} },
} as const
