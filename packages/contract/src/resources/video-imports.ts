import { choice, flag, id, integer, list, longText, number, objects, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { thumbnail } from './videos.js'

const mostBytes = Number.MAX_SAFE_INTEGER

export const videoImports = defineResource({
  name: 'video_import',
  plural: 'video_imports',
  about: 'A film that is fetched from a URL, and the video it is for.',
  access: {},
  operations: ['list', 'get', 'create', 'remove'],
  history: {
    name: 'import',
    quiet: [
      'status',
      'status_reason',
      'progress',
      'bytes',
      'total_bytes',
      'attempts',
      'finished_at',
      'video_id',
      'etag',
    ],
    milestones: {
      finished: { about: 'The film of an import has arrived.', when: 'status is ready' },
      failed: { about: 'An import was given up.', when: 'status is failed' },
    },
  },
  fields: {
    source_url: text({
      about: 'The URL of the file: http or https, without a user name. Shown to the admin key only.',
      required: true,
      maxLength: 2000,
      format: 'url',
    }),
    video_id: id({
      about: 'The video that gets the film; a new one is made when absent.',
      filter: ['is'],
    }),
    title: text({
      about: 'Title of the new video; by default the name of the file.',
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
      about: 'Creates the video and starts the import at once; otherwise add_video does.',
      default: true,
    }),
    auto_activate: flag({ about: 'The new video is active.', default: true }),
    video_source_id: id({
      about: 'The video source (feed) it came from; null if none.',
      computed: true,
      filter: ['is'],
    }),
    type: text({
      about: 'Where it came from: url for a single URL, mrss for a feed.',
      computed: true,
      default: 'url',
      maxLength: 20,
      filter: ['is'],
    }),
    active: flag({
      about:
        'False for an item that has left its feed: lists include it only on request. The record of the video says whether the video is active.',
      computed: true,
      default: true,
      filter: ['is'],
      hides: true,
    }),
    status: choice(['created', 'downloading', 'ready', 'failed', 'cancelled'], {
      about: 'The state of the import; ready means that the film has arrived and belongs to its video.',
      computed: true,
      default: 'created',
      filter: ['is', 'not'],
    }),
    status_reason: text({
      about: 'Why it failed, or why it is retried, as a sentence.',
      computed: true,
      maxLength: 2000,
    }),
    progress: integer({
      about: 'Progress in per cent; null while the size of the film is unknown.',
      computed: true,
      max: 100,
    }),
    bytes: integer({ about: 'Bytes that have arrived.', computed: true, default: 0, max: mostBytes }),
    total_bytes: integer({ about: 'Size of the film, once it is known.', computed: true, max: mostBytes }),
    attempts: integer({ about: 'The number of attempts.', computed: true, default: 0 }),
    finished_at: timestamp({ about: 'When it ended, successfully or not.', computed: true }),
    etag: text({
      about: 'The ETag of the film at its server; null if there is no reliable one.',
      computed: true,
      maxLength: 500,
    }),
    duration: number({
      about: 'Duration of the film in seconds, once it has been analysed.',
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
      about: 'Stops the import and discards the bytes that have arrived. The video stays.',
      access: {},
    },
    retry: {
      method: 'POST',
      about: 'Retries at once; continues where it stopped if the server of the film allows it.',
      access: {},
    },
    add_video: {
      method: 'PUT',
      about: 'Starts an import that was created with auto_add false.',
      access: {},
      body: { video_id: id({ about: 'The video that gets the film; a new one is made when absent.' }) },
    },
  },
})
