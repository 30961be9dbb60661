import { choice, flag, id, integer, number, objects, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

export const sources = defineResource({
  name: 'source',
  plural: 'sources',
  about: 'A current, earlier or upcoming source file of a video. A replaced one is kept for a day.',
  access: { read_only: 'read', app: 'read' },
  path: 'video_sources',
  within: videos,
  operations: ['list'],
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true }),
    file_name: text({ about: 'Its original name.', computed: true, maxLength: 255 }),
    bytes: integer({ about: 'Its size.', computed: true, always: true, max: 9_007_199_254_740_991 }),
    sha256: text({ about: 'The SHA-256 digest of its bytes, in hexadecimal.', computed: true, always: true }),
    duration: number({ about: 'Seconds.', computed: true }),
    container: text({ about: 'The container format, as ffmpeg names it: mov, matroska…', computed: true }),
    width: integer({ about: 'Pixels across, as it is shown.', computed: true }),
    height: integer({ about: 'Pixels down, as it is shown.', computed: true }),
    video_codec: text({ about: 'How its pictures are encoded.', computed: true }),
    audio_codec: text({ about: 'How its sound is encoded.', computed: true }),
    status: choice(['processing', 'ready', 'failed'], {
      about: 'Whether it can be played.',
      computed: true,
      default: 'processing',
    }),
    error: text({
      about: 'What was wrong when it was last analysed, as a sentence.',
      computed: true,
      maxLength: 2000,
    }),
    notice: text({
      about:
        'What of the file is not published, and why: audio tracks beyond the eighth, for example, or subtitles that are pictures.',
      computed: true,
      maxLength: 2000,
    }),
    quality: text({
      about: 'Which quality viewers get of it, and why, as a sentence. Null until it is analysed.',
      computed: true,
      derived: true,
      maxLength: 300,
    }),
    current: flag({ about: 'Whether the video plays from it now.', computed: true }),
    replaced_at: timestamp({ about: 'When it was replaced.', computed: true }),
    duplicates: objects(
      {
        _id: id({ about: 'The id of the video.', always: true }),
        title: text({ about: 'Its title.', always: true, maxLength: 500 }),
      },
      {
        about:
          'Other videos of the channel that have the same file, the oldest first, at most ten. Only for publishers, and empty once the source is replaced.',
        computed: true,
        derived: true,
        item: 'duplicate',
      },
    ),
  },
})

export const downloads = defineResource({
  name: 'download',
  plural: 'downloads',
  about:
    'The source file of a video, as it was uploaded. Its URL gives access to this file only, needs no credential, and expires after an hour.',
  access: {},
  within: videos,
  single: true,
  derived: true,
  operations: ['get'],
  fields: {
    url: text({
      about: 'The URL of the file, valid for an hour.',
      computed: true,
      always: true,
      maxLength: 2000,
    }),
    filesize: integer({ about: 'Bytes.', computed: true, always: true, max: 9_007_199_254_740_991 }),
    file_name: text({ about: 'The name it is saved under.', computed: true, always: true, maxLength: 300 }),
    content_type: text({ about: 'Its media type.', computed: true, always: true }),
    expires_at: timestamp({ about: 'When the URL expires.', computed: true, always: true }),
  },
})
