import { choice, flag, id, integer, list, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const videoSources = defineResource({
  name: 'video_source',
  plural: 'video_sources',
  about:
    'An external feed (MRSS, RSS or Atom) whose films are imported. It is read every hour or every day, and on request; each of its items is imported once.',
  access: {},
  history: {
    quiet: [
      'status',
      'status_reason',
      'refreshed_at',
      'refresh_at',
      'found_count',
      'added_count',
      'changed_count',
      'skipped_count',
      'video_count',
    ],
  },
  fields: {
    type: choice(['mrss'], {
      about:
        'The kind of source: mrss, also for RSS and Atom with films. May be sent outside of the wrapper; source is another name for it.',
      required: true,
      filter: ['is'],
      filterAs: ['type', 'source'],
      beside: ['type', 'source'],
    }),
    name: text({
      about: 'Its name; by default the title of the feed.',
      maxLength: 500,
      filter: ['is', 'not'],
      search: true,
    }),
    url: text({
      about: 'The URL of the feed: http or https, without a user name.',
      required: true,
      maxLength: 2000,
      format: 'url',
    }),
    guid: text({ about: 'Your own id of the source.', maxLength: 255, filter: ['is'] }),
    sync_interval: choice(['hourly', 'daily'], { about: 'How often it is read.', default: 'daily' }),
    auto_add: flag({
      about:
        'Creates a video for each new item and fetches its film; otherwise its import waits for add_video.',
      default: true,
    }),
    auto_activate: flag({ about: 'The new videos are active.', default: true }),
    auto_deactivate: flag({
      about:
        'Videos whose item is no longer in the feed become inactive, and active again when it comes back.',
    }),
    sync_video_data_source: flag({
      about: 'When an item changes in the feed, its video is updated.',
      default: true,
    }),
    import_from: timestamp({ about: 'Only items published at this time or later.' }),
    import_to: timestamp({ about: 'Only items published until this time.' }),
    mrss_category_values: list(text({ about: 'A category.' }), {
      about: 'Only items that have one of these categories in the feed; empty for all.',
      item: 'mrss_category_value',
      maxItems: 100,
    }),
    category_id: id({
      about:
        'A category for new videos: they get those of its values that are categories of their item in the feed.',
    }),
    status: choice(['created', 'ready', 'failed'], {
      about:
        'created: not read yet. ready: read successfully. failed: the last read failed; its videos stay.',
      computed: true,
      default: 'created',
      filter: ['is', 'not'],
    }),
    status_reason: text({ about: 'Why it failed, for a person.', computed: true, maxLength: 2000 }),
    refreshed_at: timestamp({ about: 'When it was last read, successfully or not.', computed: true }),
    refresh_at: timestamp({
      about: 'When it is next read automatically.',
      computed: true,
      always: true,
      default: 'now',
    }),
    found_count: integer({ about: 'Items in the feed when it was last read.', computed: true, default: 0 }),
    added_count: integer({ about: 'Of these, those that were new.', computed: true, default: 0 }),
    changed_count: integer({
      about: 'Of these, known items that had changed.',
      computed: true,
      default: 0,
    }),
    skipped_count: integer({
      about: 'Of these, those that were ignored: without a film that can be fetched, or not selected.',
      computed: true,
      default: 0,
    }),
    video_count: integer({ about: 'Items imported from it in total.', computed: true, default: 0 }),
    editable: flag({ about: 'Always true.', computed: true, default: true }),
    deleteable: flag({ about: 'Always true.', computed: true, default: true }),
    provider_id: id({ about: 'Always null.', computed: true, derived: true }),
  },
  actions: {
    refresh: { method: 'POST', about: 'Reads the feed now.', access: {} },
  },
})
