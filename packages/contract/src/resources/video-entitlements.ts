import { id, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

/** Shared by all kinds of entitlement. */
export const entitlementFields = {
  transaction_id: text({ about: 'Your own id of the purchase.', filter: ['is'] }),
  transaction_type: text({ about: 'Such as purchase or rental.', maxLength: 100, filter: ['is'] }),
  expires_at: timestamp({ about: 'When it ends; null for never.', filter: ['is', 'range'] }),
} as const

const fields = {
  consumer_id: id({ about: 'Who may watch.', computed: true, always: true }),
  video_id: id({ about: 'The video.', required: true, filter: ['is'] }),
  video_title: text({ about: 'Its title.', computed: true, derived: true, maxLength: 500 }),
  ...entitlementFields,
} as const

export const videoEntitlements = defineResource({
  name: 'entitlement',
  plural: 'video_entitlements',
  shownIn: 'consumers',
  path: 'videos',
  about: 'Allows a consumer to watch a restricted video until it expires.',
  access: { consumer: 'read' },
  within: consumers,
  includes: { video: 'videos' },
  fields,
})

export const ownVideoEntitlements = defineResource({
  name: 'own_video_entitlement',
  plural: 'own_video_entitlements',
  path: 'consumer/videos',
  about:
    'The videos that the consumer of the access token may watch: those with their own entitlement, and those in playlists with one.',
  access: { consumer: ['list'] },
  namedKeys: 'never',
  personal: true,
  derived: true,
  operations: ['list'],
  fields: { ...fields, video_title: { ...fields.video_title, search: true } },
})
