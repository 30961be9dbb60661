import { id, integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const name = text({
  about: 'Its name.',
  computed: true,
  always: true,
  filter: ['is', 'not'],
  filterAs: ['name', 'title'],
  search: true,
  sort: true,
})

export const devices = defineResource({
  name: 'device',
  plural: 'devices',
  about: 'A kind of device that videos are watched on. Every channel has the same list.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  operations: ['list', 'get'],
  fields: {
    name,
    description: text({ about: 'Its description.', computed: true, always: true }),
    device_category_id: id({
      about: 'The category it is in.',
      computed: true,
      always: true,
      filter: ['is', 'not'],
    }),
  },
  order: { sort: 'name', order: 'asc' },
})

export const deviceCategories = defineResource({
  name: 'device_category',
  plural: 'device_categories',
  about:
    'A group of kinds of device. Every channel has the same list. There are no images: apps bring their own.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  operations: ['list', 'get'],
  fields: {
    name,
    image_content_type: text({ about: 'Null.', computed: true }),
    image_file_name: text({ about: 'Null.', computed: true }),
    image_file_size: integer({ about: 'Null.', computed: true }),
    image_fingerprint: text({ about: 'Null.', computed: true }),
    image_updated_at: timestamp({ about: 'Null.', computed: true }),
  },
  order: { sort: 'name', order: 'asc' },
})
