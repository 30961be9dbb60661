import { choice, flag, id, integer, list, longText, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const readers = { read_only: 'read', app: 'read', consumer: 'read' } as const

export const programGuides = defineResource({
  name: 'program_guide',
  plural: 'program_guides',
  about: 'What is on when, from an XMLTV file at a URL. The file is read every hour, and on request.',
  access: readers,
  history: { quiet: ['status', 'status_reason', 'program_guide_entry_count', 'refreshed_at'] },
  fields: {
    name: text({
      about: 'Its name.',
      required: true,
      maxLength: 500,
      filter: ['is', 'not'],
      filterAs: ['title', 'name'],
      search: true,
      sort: true,
    }),
    url: text({
      about:
        'The URL of the XMLTV file: http or https, without a user name. Everybody who may read the guide sees it.',
      required: true,
      maxLength: 2000,
      format: 'url',
    }),
    channel: text({
      about:
        'The id of the channel in the file whose programmes are read; by default that of the first programme.',
      maxLength: 255,
    }),
    language: list(text({ about: 'A language.', maxLength: 35, format: 'language' }), {
      about: 'The preferred languages of titles and descriptions, the best first, if the file has several.',
      required: true,
      item: 'language',
      maxItems: 20,
    }),
    time_zone: text({
      about:
        'The time zone of times without an offset in the file, and of the local times of the entries: Europe/Paris.',
      required: true,
      maxLength: 64,
    }),
    video_ids: list(id({ about: 'A video.' }), {
      about: 'The videos it is the guide for.',
      item: 'video_id',
      filter: ['any'],
      filterAs: ['video_id'],
    }),
    status: choice(['created', 'synced', 'failed'], {
      about: 'synced: the entries are those of the file. failed: the last read failed; the entries stay.',
      computed: true,
      default: 'created',
      filter: ['is', 'not'],
    }),
    status_reason: text({ about: 'Why it failed, for a person.', computed: true, maxLength: 2000 }),
    program_guide_entry_count: integer({ about: 'How many entries it has.', computed: true, default: 0 }),
    refreshed_at: timestamp({ about: 'When the file was last read, successfully or not.', computed: true }),
  },
  actions: {
    refresh: {
      method: 'POST',
      about: 'Reads the file now.',
      access: {},
    },
  },
})

export const programGuideEntries = defineResource({
  name: 'program_guide_entry',
  plural: 'program_guide_entries',
  about: 'One programme of a guide. Past programmes are kept for a week.',
  path: 'entries',
  access: { read_only: ['list'], app: ['list'], consumer: ['list'] },
  operations: ['list'],
  within: programGuides,
  listOptions: {
    disable_pagination: flag({ about: 'Returns all entries on one page and ignores page and per_page.' }),
  },
  fields: {
    program_guide_id: id({ about: 'The guide it belongs to.', computed: true, always: true }),
    title: text({
      about: 'Its title.',
      computed: true,
      always: true,
      maxLength: 500,
      filter: ['is', 'not'],
      search: true,
      sort: true,
    }),
    subtitle: text({ about: 'The title of the episode.', computed: true, maxLength: 500 }),
    description: longText({ about: 'What it is about.', computed: true }),
    category: list(text({ about: 'A category.' }), {
      about: 'Its categories.',
      computed: true,
      item: 'category',
    }),
    duration: integer({ about: 'Seconds from its start to its end.', computed: true, always: true }),
    start_time: timestamp({
      about: 'When it begins.',
      computed: true,
      always: true,
      filter: ['is', 'range'],
      sort: true,
    }),
    end_time: timestamp({
      about: 'When it ends; if the file does not say, when the next one begins.',
      computed: true,
      always: true,
      filter: ['is', 'range'],
      sort: true,
    }),
    start_time_with_offset: text({
      about: 'When it begins, in the time zone of the guide.',
      computed: true,
      always: true,
    }),
    end_time_with_offset: text({
      about: 'When it ends, in the time zone of the guide.',
      computed: true,
      always: true,
    }),
    time_zone: text({ about: 'The time zone of the guide.', computed: true, always: true, maxLength: 64 }),
  },
  order: { sort: 'start_time', order: 'asc' },
})
