import { text } from '../fields.js'
import { defineResource } from '../resource.js'

export const revenueModels = defineResource({
  name: 'revenue_model',
  plural: 'revenue_models',
  about: 'A way in which a channel may earn with a video. Every channel has the same.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  operations: ['list', 'get'],
  fields: {
    name: text({
      about: 'What it is called.',
      computed: true,
      always: true,
      filter: ['is'],
      filterAs: ['title', 'name'],
      search: true,
      sort: true,
    }),
    description: text({ about: 'What it asks of viewers.', computed: true, always: true }),
  },
})
