import { list, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { titled } from './titled.js'

export const categories = defineResource({
  name: 'category',
  plural: 'categories',
  about: 'A word with its values, such as Genre with Drama and Comedy. Videos have some of the values.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  fields: {
    ...titled('Shown to viewers. No two categories have the same.', 255),
    values: list(text({ about: 'A value.' }), {
      about: 'What videos may have in it. A value that another takes the place of is renamed.',
      item: 'value',
      maxItems: 1000,
    }),
  },
})
