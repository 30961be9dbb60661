import { flag, id, integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const uploadTokens = defineResource({
  name: 'upload_token',
  plural: 'upload_tokens',
  about:
    'Leave to upload, for a short time, for a browser that must not know a key. Removing it ends that; uploads that were begun go on.',
  access: {},
  operations: ['list', 'get', 'create', 'remove'],
  fields: {
    video_id: id({
      about: 'The video whose film may be uploaded; null for new videos.',
      filter: ['is'],
    }),
    max_bytes: integer({
      about: 'Size of a file at most; null for as much as the installation allows.',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    }),
    uploads: integer({ about: 'How many uploads it may begin.', default: 1, min: 1, max: 100 }),
    active: flag({
      about: 'Whether new videos may be active; otherwise they are hidden until the publisher shows them.',
    }),
    expires_in: integer({
      about: 'For how many seconds it may begin uploads.',
      default: 3600,
      min: 1,
      max: 86_400,
    }),
    expires_at: timestamp({ about: 'When it ends.', computed: true, always: true }),
    begun: integer({
      about: 'How many uploads it has begun; those that failed are not counted.',
      computed: true,
      always: true,
    }),
    token: text({
      about: 'Sent as upload_token or X-Upload-Token. Shown once, when it is made; null from then on.',
      computed: true,
      derived: true,
    }),
    upload_url: text({
      about: 'Where a form sends its file, with the token; shown once.',
      computed: true,
      derived: true,
      maxLength: 2000,
    }),
    tus_url: text({
      about: 'Where resumable uploads begin, with the token; shown once.',
      computed: true,
      derived: true,
      maxLength: 2000,
    }),
  },
})
