import { integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

export const downloads = defineResource({
  name: 'download',
  plural: 'downloads',
  about:
    'The file that a video is made from, as it came. Its address opens this file and nothing else, needs no credential, and ends after an hour.',
  access: {},
  within: videos,
  single: true,
  derived: true,
  operations: ['get'],
  fields: {
    url: text({ about: 'Where the file is, for an hour.', computed: true, always: true, maxLength: 2000 }),
    filesize: integer({ about: 'Bytes.', computed: true, always: true, max: 9_007_199_254_740_991 }),
    file_name: text({ about: 'The name it is saved under.', computed: true, always: true, maxLength: 300 }),
    content_type: text({ about: 'Its media type.', computed: true, always: true }),
    expires_at: timestamp({ about: 'When the address ends.', computed: true, always: true }),
  },
})
