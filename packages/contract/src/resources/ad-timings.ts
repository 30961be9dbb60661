import { choice, id, integer, number, objects, text } from '../fields.js'
import { limits } from '../limits.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

/** What a video plays from: an uploaded film, or files at other URLs. Records of videos show them as data_sources. */
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
  duration: number({ about: 'The length of the break in seconds; null if unknown.', max: longest / 1000 }),
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
    about: 'How it was created: always by hand.',
    computed: true,
    default: 'manual',
  }),
  ad_placement_id: text({ about: 'The name of the placement at your ad server.' }),
} as const

export const adTimings = defineResource({
  name: 'ad_timing',
  plural: 'ad_timings',
  about: `A position in a video where advertisements may be shown. A data source has at most ${limits.ad_timings.value}; a list returns all of them at once. When the film is replaced, they move to the new film.`,
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  within: dataSources,
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true }),
    data_source_id: id({
      about: 'The data source of the video it belongs to.',
      computed: true,
      always: true,
    }),
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
    data_source_id: id({
      about: 'The data source of the video they belong to.',
      computed: true,
      always: true,
    }),
    ad_timings: objects(
      { _id: id({ about: 'Its id.', always: true }), ...fields },
      { about: 'Its ad timings, in their order.', item: 'ad_timing' },
    ),
  },
  order: { sort: 'created_at', order: 'asc' },
})
