import { flag, id, integer, list, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const uploadTokens = defineResource({
  name: 'upload_token',
  plural: 'upload_tokens',
  about:
    'Allows uploads for a short time, for a browser that must not know a key. Removing it revokes it, and so does the end of the key, or of the role of the person, that made it; uploads already started may finish.',
  access: {},
  credential: true,
  operations: ['list', 'get', 'create', 'remove'],
  history: { quiet: ['begun'] },
  fields: {
    video_id: id({
      about: 'The video whose film may be uploaded; null for new videos.',
      filter: ['is'],
    }),
    max_bytes: integer({
      about: 'Maximum size of a file; null for the limit of the installation.',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    }),
    uploads: integer({ about: 'How many uploads it may start.', default: 1, min: 1, max: 100 }),
    active: flag({
      about:
        'Whether new videos may be active; otherwise they are hidden until the publisher activates them.',
    }),
    allowed_fields: list(text({ about: 'The name of a field of videos.', maxLength: 100 }), {
      about:
        'The fields of a new video that the page may set: title and description unless others are named. To set more yourself, create the video first and name it in video_id.',
      item: 'allowed_field',
    }),
    expires_in: integer({
      about: 'For how many seconds it may start uploads.',
      default: 3600,
      min: 1,
      max: 86_400,
    }),
    expires_at: timestamp({ about: 'When it expires.', computed: true, always: true }),
    begun: integer({
      about: 'How many uploads it has started; failed ones are not counted.',
      computed: true,
      always: true,
    }),
    token: text({
      about: 'Sent as upload_token or X-Upload-Token. Shown once, when it is created; null from then on.',
      computed: true,
      derived: true,
      once: true,
    }),
    upload_url: text({
      about: 'The URL for a form, including the token; shown once.',
      computed: true,
      derived: true,
      once: true,
      maxLength: 2000,
    }),
    tus_url: text({
      about: 'The URL for resumable uploads, including the token; shown once.',
      computed: true,
      derived: true,
      once: true,
      maxLength: 2000,
    }),
  },
})
