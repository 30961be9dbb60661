import { choice, flag, id, integer, text } from '../fields.js'
import { defineResource } from '../resource.js'

export const adTags = defineResource({
  name: 'ad_tag',
  plural: 'ad_tags',
  about: 'The URL of an ad server that players request advertisements from.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  fields: {
    name: text({ about: 'Its name.', filter: ['is'], search: true }),
    _type: choice(['AdTag::Vast', 'AdTag::Googima'], { about: 'The kind of ad server.' }),
    active: flag({
      about: 'Whether it is in use; only the admin key sees inactive ones.',
      default: true,
      filter: ['is'],
      hides: true,
    }),
    disabled: flag({ about: 'Temporarily not used.', filter: ['is'] }),
    tag: text({ about: 'The URL.', maxLength: 2000, format: 'url' }),
    vmap: flag({ about: 'The response of the ad server has the times of the breaks (VMAP).' }),
    scope: choice(['library', 'video'], {
      about: 'Whether interval_count counts plays of all videos or of each video.',
      default: 'library',
      filter: ['is'],
    }),
    interval_count: integer({
      about: 'Show advertisements in every n-th play of a viewer; null or 0 for every play.',
    }),
    interval_seconds: integer({ about: 'Seconds between two advertisements.' }),
    network_key: text({
      about: 'The key at the ad network. Shown to the admin key only; null for others.',
    }),
    device_id: id({ about: 'The kind of device it is for; null for all.' }),
    device_category_id: id({ about: 'The category of devices it is for; null for all.' }),
    revenue_partner_id: id({ about: 'The partner who sells the advertisements.' }),
  },
})
