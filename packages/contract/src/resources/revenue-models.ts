import { text } from '../fields.js'
import { defineResource } from '../resource.js'

export const revenueModels = defineResource({
  name: 'revenue_model',
  plural: 'revenue_models',
  about: 'A way in which a channel can earn money with a video. Every channel has the same list.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  operations: ['list', 'get'],
  fields: {
    name: text({
      about: 'Its name.',
      computed: true,
      always: true,
      filter: ['is'],
      filterAs: ['title', 'name'],
      search: true,
      sort: true,
    }),
    description: text({ about: 'What it requires of viewers.', computed: true, always: true }),
  },
})
