import { choice, id, integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const plays = defineResource({
  name: 'play',
  plural: 'plays',
  about: 'How often a video was played on one day, on one kind of device, and for how long.',
  access: {},
  operations: ['list', 'get'],
  listOptions: {
    from: timestamp({ about: 'The first day; the same as date.gte.' }),
    to: timestamp({ about: 'The last day; the same as date.lte.' }),
  },
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true, filter: ['is', 'not'] }),
    video_title: text({
      about: 'Its current title; null once it is removed for good.',
      computed: true,
      derived: true,
    }),
    date: timestamp({
      about: 'The day on which the plays began: midnight in UTC.',
      computed: true,
      always: true,
      filter: ['is', 'range'],
      sort: true,
    }),
    device: choice(['desktop', 'phone', 'tablet', 'tv', 'other'], {
      about: 'What it was played on.',
      computed: true,
      always: true,
      filter: ['is', 'not'],
    }),
    plays: integer({ about: 'How often it was started.', computed: true, default: 0, sort: true }),
    finished: integer({ about: 'How often it was played to its end.', computed: true, default: 0 }),
    watched_seconds: integer({
      about: 'How long it ran in total, in real seconds: pauses do not count.',
      computed: true,
      default: 0,
      max: Number.MAX_SAFE_INTEGER,
      sort: true,
    }),
  },
  order: { sort: 'date', order: 'desc' },
})
