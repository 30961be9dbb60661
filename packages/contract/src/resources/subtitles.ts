import { choice, file, flag, integer, number, text, timestamp } from '../fields.js'
import { limits } from '../limits.js'
import { defineResource } from '../resource.js'
import { offered, trackFields, trackLanguage } from './track-fields.js'
import { videos } from './videos.js'

export const subtitles = defineResource({
  name: 'subtitle',
  plural: 'subtitles',
  about: 'The spoken words of a video, as text in one language. Viewers can turn it on in the player.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  within: videos,
  fields: {
    video_id: trackFields.video_id,
    language: text({ ...trackLanguage, required: true }),
    title: text({
      about:
        'Its name in the menus of players, unique within the video; by default the English name of the language.',
      always: true,
      maxLength: 100,
    }),
    active: offered('Offered to viewers if true.'),
    default: flag({
      about: 'Shown by default. A video has at most one default: setting it clears the previous one.',
    }),
    forced: flag({ about: 'Contains only what viewers of the spoken language need, such as signs.' }),
    extension_type: choice(['srt', 'vtt'], {
      about: 'The type of the file: SubRip or WebVTT; by default recognised from its content.',
      always: true,
    }),
    file: file({
      about: 'The file, as base64 or as a part of a multipart body.',
      required: true,
      maxBytes: limits.subtitle_bytes.value,
    }),
    file_file_name: trackFields.file_file_name,
    file_content_type: text({ about: 'The type of the file.', computed: true, always: true }),
    file_file_size: integer({ about: 'Bytes of the file.', computed: true, always: true }),
    file_fingerprint: text({ about: 'MD5 of the file.', computed: true, always: true }),
    file_updated_at: timestamp({ about: 'When the file was last replaced.', computed: true, always: true }),
    url: text({
      about:
        'The URL of the subtitle as WebVTT, which cannot be guessed. Hidden subtitles, and those of restricted videos, also need a credential.',
      computed: true,
      always: true,
      maxLength: 2000,
    }),
  },
  actions: {
    download: {
      method: 'GET',
      about:
        'Downloads all lines as a SubRip or WebVTT file. SubRip has no speakers, classes or exact positions, so they are left out of it. Viewers get the file at the url of the record.',
      access: {},
      answers: 'file',
      types: ['application/x-subrip', 'text/vtt'],
      body: {
        format: choice(['srt', 'vtt'], { about: 'The type of the file: SubRip or WebVTT.', default: 'vtt' }),
      },
    },
    shift: {
      method: 'PUT',
      about:
        'Delays all cues, or advances them if seconds is negative. The file is then stored as WebVTT, at a new URL.',
      access: {},
      body: {
        seconds: number({
          about: 'The delay; no cue may begin before the film.',
          required: true,
          min: -360_000,
          max: 360_000,
        }),
      },
    },
  },
})
