import { list, text } from '../fields.js'
import { defineResource } from '../resource.js'

export const categories = defineResource({
  name: 'category',
  plural: 'categories',
  about: 'A word with its values, such as Genre with Drama and Comedy. Videos have some of the values.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  fields: {
    title: text({
      about: 'Shown to viewers. No two categories have the same.',
      required: true,
      filter: ['is', 'not'],
      search: true,
      sort: true,
    }),
    friendly_title: text({
      about: 'The title as part of an address; made from the title when absent.',
      always: true,
      format: 'slug',
      filter: ['is', 'not'],
    }),
    values: list(text({ about: 'A value.' }), {
      about: 'What videos may have in it. A value that another takes the place of is renamed.',
      item: 'value',
      maxItems: 1000,
    }),
  },
})
