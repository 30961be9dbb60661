import { choice, flag, id, integer, list, longText, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const readers = { read_only: 'read', app: 'read', consumer: 'read' } as const

export const programGuides = defineResource({
  name: 'program_guide',
  plural: 'program_guides',
  about:
    'What is on when, as an XMLTV file at an address says. The file is read every hour, and when asked to.',
  access: readers,
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
        'The address of the XMLTV file: http or https, without a user name. Whoever may read the guide sees it.',
      required: true,
      maxLength: 2000,
      format: 'url',
    }),
    channel: text({
      about:
        'The id of the channel in the file whose programmes are read; that of the first programme when absent.',
      maxLength: 255,
    }),
    language: list(text({ about: 'A language.', maxLength: 35, format: 'language' }), {
      about: 'The languages of titles and descriptions, the best first, where the file has them in several.',
      required: true,
      item: 'language',
      maxItems: 20,
    }),
    time_zone: text({
      about:
        'The time zone of times in the file that name none, and of times with an offset in the entries: Europe/Paris.',
      required: true,
      maxLength: 64,
    }),
    video_ids: list(id({ about: 'A video.' }), {
      about: 'The videos whose programme it is.',
      item: 'video_id',
      filter: ['any'],
      filterAs: ['video_id'],
    }),
    status: choice(['created', 'synced', 'failed'], {
      about:
        'synced: the entries are those of the file. failed: it could not be read the last time; the entries stay.',
      computed: true,
      default: 'created',
      filter: ['is', 'not'],
    }),
    status_reason: text({ about: 'Why it failed, for a person.', computed: true, maxLength: 2000 }),
    program_guide_entry_count: integer({ about: 'How many entries it has.', computed: true, default: 0 }),
    refreshed_at: timestamp({ about: 'When the file was last read, well or not.', computed: true }),
  },
  actions: {
    refresh: {
      method: 'POST',
      about: 'Has the file read now.',
      access: {},
    },
  },
})

export const programGuideEntries = defineResource({
  name: 'program_guide_entry',
  plural: 'program_guide_entries',
  about: 'One programme of a guide. Those that are over are kept for a week.',
  path: 'entries',
  access: { read_only: ['list'], app: ['list'], consumer: ['list'] },
  operations: ['list'],
  within: programGuides,
  listOptions: {
    disable_pagination: flag({ about: 'All entries on one page, whatever page and per_page say.' }),
  },
  fields: {
    program_guide_id: id({ about: 'The guide it stands in.', computed: true, always: true }),
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
      about: 'When it ends; where the file does not say, when the next one begins.',
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
