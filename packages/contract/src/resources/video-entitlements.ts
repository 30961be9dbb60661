import { id, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

export const videoEntitlements = defineResource({
  name: 'entitlement',
  plural: 'video_entitlements',
  path: 'videos',
  about: 'That a consumer may watch a video which is not for everybody, until it expires.',
  access: { consumer: 'read' },
  within: consumers,
  fields: {
    consumer_id: id({ about: 'Who may watch.', computed: true, always: true }),
    video_id: id({ about: 'The video.', required: true, filter: ['is'] }),
    transaction_id: text({ about: 'What it was bought with, in your own records.', filter: ['is'] }),
    transaction_type: text({ about: 'Such as purchase or rental.', maxLength: 100, filter: ['is'] }),
    expires_at: timestamp({ about: 'When it ends; null for never.', filter: ['range'] }),
  },
})
