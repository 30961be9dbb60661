import { flag, integer, longText, money, text } from '../fields.js'
import { defineResource } from '../resource.js'

export const passPlans = defineResource({
  name: 'pass_plan',
  plural: 'pass_plans',
  about:
    'A pass that can be sold: it gives access to every video that requires a pass, for a number of days.',
  access: {},
  fields: {
    name: text({ about: 'Shown to viewers.', required: true, search: true, sort: true }),
    description: longText({ about: 'Shown beside the name.' }),
    active: flag({ about: 'Offered to viewers if true.', default: true, filter: ['is'] }),
    amount: money({ about: 'Price, as a decimal string.', required: true }),
    currency: text({ about: 'Code of the currency, such as USD.', default: 'USD', maxLength: 3 }),
    duration: integer({ about: 'Days that a pass lasts; null for no limit.', min: 1, max: 36_500 }),
  },
})
