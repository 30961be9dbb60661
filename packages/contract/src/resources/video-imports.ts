import { choice, flag, id, integer, list, longText, number, objects, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { thumbnail } from './videos.js'

const mostBytes = Number.MAX_SAFE_INTEGER

export const videoImports = defineResource({
  name: 'video_import',
  plural: 'video_imports',
  about: 'A film that is fetched from an address, and the video it is for.',
  access: {},
  operations: ['list', 'get', 'create', 'remove'],
  fields: {
    source_url: text({
      about: 'The address of the file: http or https, without a user name. Shown to the admin key only.',
      required: true,
      maxLength: 2000,
      format: 'url',
    }),
    video_id: id({
      about: 'The video that gets the film; a new one is made when absent.',
      filter: ['is'],
    }),
    title: text({
      about: 'Title of the new video; the name of the file when absent.',
      always: true,
      maxLength: 500,
      search: true,
    }),
    description: longText({ about: 'Description of the new video.' }),
    episode: number({ about: 'Number of the new video within its season.', max: 1_000_000 }),
    season: number({ about: 'Number of its season.', max: 1_000_000 }),
    keywords: list(text({ about: 'A keyword.', maxLength: 100 }), {
      about: 'Keywords of the new video.',
      item: 'keyword',
    }),
    published_at: timestamp({ about: 'When the new video was published.' }),
    source_id: text({ about: 'Your own id of the new video.', filter: ['is', 'not'], search: true }),
    auto_add: flag({
      about: 'Makes the video and begins at once; otherwise add_video does.',
      default: true,
    }),
    auto_activate: flag({ about: 'The new video is active.', default: true }),
    video_source_id: id({
      about: 'The feed that it came from; null if it came from none.',
      computed: true,
      filter: ['is'],
    }),
    type: text({
      about: 'How it came: url by an address of its own, mrss by a feed.',
      computed: true,
      default: 'url',
      maxLength: 20,
      filter: ['is'],
    }),
    active: flag({
      about:
        'False for an item that has left its feed: lists have it only when asked for. Whether its video is active is said there.',
      computed: true,
      default: true,
      filter: ['is'],
      hides: true,
    }),
    status: choice(['created', 'downloading', 'ready', 'failed', 'cancelled'], {
      about: 'Where the import stands; ready means that the film has arrived and belongs to its video.',
      computed: true,
      default: 'created',
      filter: ['is', 'not'],
    }),
    status_reason: text({
      about: 'Why it failed, or why it is tried again, for a person.',
      computed: true,
      maxLength: 2000,
    }),
    progress: integer({
      about: 'Per cent that have arrived; null while the size of the film is unknown.',
      computed: true,
      max: 100,
    }),
    bytes: integer({ about: 'Bytes that have arrived.', computed: true, default: 0, max: mostBytes }),
    total_bytes: integer({ about: 'Size of the film, once it is known.', computed: true, max: mostBytes }),
    attempts: integer({ about: 'How often the address was asked.', computed: true, default: 0 }),
    finished_at: timestamp({ about: 'When it ended, well or not.', computed: true }),
    etag: text({
      about:
        'The entity tag by which the server of the film knows it; null where it has none that can be relied on.',
      computed: true,
      maxLength: 500,
    }),
    duration: number({
      about: 'Seconds of the film, once it is here and was looked at.',
      computed: true,
      derived: true,
    }),
    thumbnails: objects(thumbnail, {
      about: 'Pictures of its video, in several sizes.',
      derived: true,
      item: 'thumbnail',
    }),
  },
  actions: {
    cancel: {
      method: 'POST',
      about: 'Stops the import and throws away what has arrived. The video stays.',
      access: {},
    },
    retry: {
      method: 'POST',
      about: 'Tries again at once; goes on where it was if the server of the film allows it.',
      access: {},
    },
    add_video: {
      method: 'PUT',
      about: 'Begins an import that was made with auto_add false.',
      access: {},
      body: { video_id: id({ about: 'The video that gets the film; a new one is made when absent.' }) },
    },
  },
})
