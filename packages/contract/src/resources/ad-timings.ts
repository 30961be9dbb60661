import { choice, id, integer, number, objects, text } from '../fields.js'
import { limits } from '../limits.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

/** What a video plays from: a film that was uploaded, or files at other addresses. Its records show them as data_sources. */
const dataSources = defineResource({
  name: 'data_source',
  plural: 'data_sources',
  about: 'What a video plays from.',
  access: {},
  within: videos,
  derived: true,
  operations: [],
  fields: {},
})

const longest = 360_000_000

const fields = {
  time: number({
    about: 'Where the break is, in seconds from the beginning.',
    always: true,
    max: longest / 1000,
  }),
  milliseconds: integer({
    about: 'The same in milliseconds; if both are sent, this one counts.',
    always: true,
    max: longest,
    sort: true,
  }),
  duration: number({ about: 'How long the break is, in seconds; null if nobody says.', max: longest / 1000 }),
  duration_milliseconds: integer({
    about: 'The same in milliseconds; if both are sent, this one counts.',
    max: longest,
  }),
  type: choice(['preroll', 'midroll'], {
    about: 'preroll at the very beginning, midroll anywhere else.',
    computed: true,
    always: true,
  }),
  mode: choice(['manual'], {
    about: 'How it came about: somebody wrote it.',
    computed: true,
    default: 'manual',
  }),
  ad_placement_id: text({ about: 'What your ad server calls the place.' }),
} as const

export const adTimings = defineResource({
  name: 'ad_timing',
  plural: 'ad_timings',
  about: `A place in a video where advertisements may be shown. A data source has ${limits.ad_timings.value} at most; a list shows them all at once. They go over to the film that replaces theirs.`,
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  within: dataSources,
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true }),
    data_source_id: id({ about: 'What of the video it is a place in.', computed: true, always: true }),
    ...fields,
  },
  order: { sort: 'milliseconds', order: 'asc' },
})

export const videoAdTimings = defineResource({
  name: 'ad_timings_of_data_source',
  plural: 'ad_timings_of_data_sources',
  about: 'The ad timings of everything that a video plays from.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  path: 'ad_timings',
  within: videos,
  derived: true,
  operations: ['list'],
  fields: {
    data_source_id: id({ about: 'What of the video they are places in.', computed: true, always: true }),
    ad_timings: objects(
      { _id: id({ about: 'Its id.', always: true }), ...fields },
      { about: 'Its ad timings, in their order.', item: 'ad_timing' },
    ),
  },
  order: { sort: 'created_at', order: 'asc' },
})
