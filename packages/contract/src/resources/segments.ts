import { id, integer, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

export const segments = defineResource({
  name: 'segment',
  plural: 'segments',
  shownIn: 'videos',
  about: 'A chapter of a video. The record of the video shows all of them, in order.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  within: videos,
  fields: {
    video_id: id({ about: 'The video it is a part of.', computed: true, always: true }),
    description: text({ about: 'Its title.', required: true, sort: true }),
    start: integer({
      about:
        'Where it begins, in milliseconds from the beginning of the film. No two segments begin in the same second.',
      required: true,
      max: 360_000_000,
      sort: true,
    }),
    end: integer({
      about: 'Where it ends, in milliseconds: after its start, and within the film. Null if it has no end.',
      max: 360_000_000,
    }),
  },
  order: { sort: 'start', order: 'asc' },
})
