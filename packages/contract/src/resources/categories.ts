import { list, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { titled } from './titled.js'

export const categories = defineResource({
  name: 'category',
  plural: 'categories',
  shownIn: 'videos',
  about: 'A title with its values, such as Genre with Drama and Comedy. Videos can have some of the values.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  fields: {
    ...titled('Shown to viewers. No two categories have the same.', 255),
    values: list(text({ about: 'A value.' }), {
      about: 'The values that videos may have. A new value at the position of an old one renames it.',
      item: 'value',
      maxItems: 1000,
    }),
  },
})
