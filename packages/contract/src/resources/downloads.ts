import { integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

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
