import { choice, file, flag, id, integer, number, text, timestamp } from '../fields.js'
import { limits } from '../limits.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

export const subtitles = defineResource({
  name: 'subtitle',
  plural: 'subtitles',
  about: 'What is said in a video, as text in one language. Players show it to viewers who ask for it.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  within: videos,
  fields: {
    video_id: id({ about: 'The video it belongs to.', computed: true, always: true }),
    language: text({
      about:
        'The code of its language: ISO 639-1 such as en, or BCP 47 such as pt-BR. Its English name is understood too.',
      required: true,
      maxLength: 35,
      format: 'language',
      filter: ['is', 'not'],
    }),
    title: text({
      about:
        'Its name in the menus of players, of which a video has no two alike; the English name of the language when absent.',
      always: true,
      maxLength: 100,
    }),
    active: flag({
      about: 'Offered to viewers when true.',
      default: true,
      filter: ['is'],
      hides: true,
    }),
    default: flag({
      about: 'Shown without being asked for. A video has one such at most: it is taken from the one before.',
    }),
    forced: flag({ about: 'Has only what viewers of the spoken language need, such as signs.' }),
    extension_type: choice(['srt', 'vtt'], {
      about: 'The form of the file: SubRip or WebVTT; recognised when absent.',
      always: true,
    }),
    file: file({
      about: 'The file, as base64 or as a part of a multipart body.',
      required: true,
      maxBytes: limits.subtitle_bytes.value,
    }),
    file_file_name: text({ about: 'Its name on your machine.' }),
    file_content_type: text({ about: 'The type of the file.', computed: true, always: true }),
    file_file_size: integer({ about: 'Bytes of the file.', computed: true, always: true }),
    file_fingerprint: text({ about: 'MD5 of the file.', computed: true, always: true }),
    file_updated_at: timestamp({ about: 'When the file was last replaced.', computed: true, always: true }),
    url: text({
      about:
        'Where it is as WebVTT; nobody can guess the address. Hidden ones, and those of videos that not everybody may watch, need a credential too.',
      computed: true,
      always: true,
      maxLength: 2000,
    }),
  },
  actions: {
    shift: {
      method: 'PUT',
      about:
        'Makes all its lines come later, or earlier where seconds is negative. What is kept of it is WebVTT from then on, at another address.',
      access: {},
      body: {
        seconds: number({
          about: 'How much later; no line may begin before the film.',
          required: true,
          min: -360_000,
          max: 360_000,
        }),
      },
    },
  },
})
