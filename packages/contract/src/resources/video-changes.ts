import { change, id, integer, list, nested, number, text } from '../fields.js'

const how = 'an object with an id changes one, an object without adds one, _destroy removes one'
const longest = 360_000_000

/** Chapters, as a record shows them. */
export const segment = {
  description: text({ about: 'Its title.' }),
  start: integer({ about: 'Milliseconds from the beginning.', max: longest }),
  end: integer({ about: 'Milliseconds from the beginning.', max: longest }),
} as const

/** Changes to related records that can be sent with a video. */
export const videoChanges = {
  segments_attributes: nested(
    { ...change, ...segment },
    { about: `Changes to segments: ${how}.`, writeOnly: true, item: 'segment' },
  ),
  ad_timings_attributes: nested(
    {
      ...change,
      time: number({ about: 'Where the break is, in seconds.', max: longest / 1000 }),
      milliseconds: integer({ about: 'The same in milliseconds.', max: longest }),
      duration: number({ about: 'How long it is, in seconds.', max: longest / 1000 }),
      duration_milliseconds: integer({ about: 'The same in milliseconds.', max: longest }),
      ad_placement_id: text({ about: 'The name of the placement at your ad server.' }),
    },
    {
      about: `Changes to the ad timings of the current data source of the video: ${how}.`,
      writeOnly: true,
      item: 'ad_timing',
    },
  ),
  related_videos_attributes: nested(
    {
      ...change,
      linked_video_id: id({ about: 'The related video.' }),
      source: text({ about: 'Where it came from, in your own words.' }),
      source_id: text({ about: 'Its id there.' }),
      group: text({ about: 'The group it is shown in.' }),
    },
    {
      about: `Changes to related videos, at most 100 in all: ${how}. Records show them with include_related_videos=true.`,
      writeOnly: true,
      item: 'related_video',
    },
  ),
  zobject_id: list(id({ about: 'A custom object.' }), {
    about: 'Another name for zobject_ids.',
    writeOnly: true,
    item: 'zobject_id',
  }),
} as const
