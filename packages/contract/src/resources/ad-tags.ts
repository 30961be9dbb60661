import { choice, flag, id, integer, text } from '../fields.js'
import { defineResource } from '../resource.js'

export const adTags = defineResource({
  name: 'ad_tag',
  plural: 'ad_tags',
  about: 'An address that players ask for advertisements.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  fields: {
    name: text({ about: 'What it is called.', filter: ['is'], search: true }),
    _type: choice(['AdTag::Vast', 'AdTag::Googima'], { about: 'What answers at the address.' }),
    active: flag({
      about: 'In use; others see active ones only.',
      default: true,
      filter: ['is'],
      hides: true,
    }),
    disabled: flag({ about: 'Put out of use for a while.', filter: ['is'] }),
    tag: text({ about: 'The address.', maxLength: 2000, format: 'url' }),
    vmap: flag({ about: 'The answer says itself when advertisements are shown.' }),
    scope: choice(['library', 'video'], {
      about: 'Whether interval_count counts plays of the whole library or of each video.',
      default: 'library',
      filter: ['is'],
    }),
    interval_count: integer({
      about: 'Every how many plays of a viewer there are advertisements; null and 0 for every play.',
    }),
    interval_seconds: integer({ about: 'Seconds between two advertisements.' }),
    network_key: text({
      about: 'The key at the network that sells them. Shown to the admin key only; null for others.',
    }),
    device_id: id({ about: 'The kind of device that it is for; null for every one.' }),
    device_category_id: id({ about: 'The category of devices that it is for; null for every one.' }),
    revenue_partner_id: id({ about: 'Who sells them.' }),
  },
})
