import { flag } from '../fields.js'
import { defineResource } from '../resource.js'

export const formats = defineResource({
  name: 'formats',
  plural: 'formats',
  about: 'The formats in which the channel publishes its videos.',
  access: {},
  path: 'settings/formats',
  operations: ['get', 'update'],
  single: true,
  fields: {
    hls_240p: flag({ about: 'HLS in 426×240.', default: true }),
    hls_360p: flag({ about: 'HLS in 640×360.', default: true }),
    hls_480p: flag({ about: 'HLS in 854×480.', default: true }),
    hls_720p: flag({ about: 'HLS in 1280×720.', default: true }),
    hls_1080p: flag({ about: 'HLS in 1920×1080.', default: true }),
    webm_360p: flag({ about: 'A WebM file in 640×360.', default: true }),
    mp4_360p: flag({ about: 'An MP4 file in 640×360.', default: true }),
  },
})
