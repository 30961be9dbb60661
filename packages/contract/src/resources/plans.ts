import { choice, flag, id, integer, list, longText, map, money, text } from '../fields.js'
import { defineResource } from '../resource.js'

const playlistIds = { item: 'playlist_id', maxItems: 200 } as const

const currency = { about: 'Code of the currency, such as USD.', maxLength: 3, format: 'currency' } as const

export const plans = defineResource({
  name: 'plan',
  plural: 'plans',
  about:
    'What a consumer can subscribe to: the price, the billing period, and the videos it gives access to.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  fields: {
    name: text({ about: 'Shown to viewers.', required: true, search: true, sort: true }),
    description: longText({ about: 'Shown beside the name.' }),
    active: flag({ about: 'Offered to viewers if true.', filter: ['is'], hides: true }),
    amount: money({ about: 'Price of a period, as a decimal string.', required: true }),
    currency: text({ ...currency, required: true }),
    interval: choice(['month', 'year', 'lifetime'], { about: 'How long a period is.', required: true }),
    interval_count: integer({ about: 'Months or years of a period.', required: true, min: 1, max: 100 }),
    entitlement_type: choice(['global', 'tiered'], {
      about:
        'What it gives access to: every video for subscribers, or those in its playlists and the playlists below them.',
      required: true,
    }),
    playlist_ids: list(id({ about: 'A playlist.' }), {
      about: 'The playlists of a tiered plan, which needs at least one.',
      ...playlistIds,
    }),
    trial_period_days: integer({ about: 'Days of the free trial.', default: 0, max: 3650 }),
    statement_description: text({ about: 'The text on the card statement.' }),
    marketplace_ids: map({ about: 'Ids of the plan in app stores, by store.' }),
    stripe_id: text({ about: 'The plan at Stripe.' }),
    stripe_public_key: text({ about: 'The key with which apps call Stripe.' }),
    braintree_id: text({ about: 'The plan at Braintree.' }),
    recurly_code: text({ about: 'The plan at Recurly.' }),
    amazon_id: text({ about: 'The plan at Amazon.' }),
    third_party_id: text({ about: 'The plan elsewhere.' }),
  },
  actions: {
    add_playlists: {
      method: 'PUT',
      about: 'Adds playlists to the plan.',
      access: {},
      body: {
        playlist_ids: list(id({ about: 'A playlist.' }), {
          about: 'The playlists to add.',
          required: true,
          ...playlistIds,
        }),
      },
    },
    remove_playlists: {
      method: 'PUT',
      about: 'Removes playlists from the plan.',
      access: {},
      body: {
        playlist_ids: list(id({ about: 'A playlist.' }), {
          about: 'The playlists to remove.',
          required: true,
          ...playlistIds,
        }),
      },
    },
  },
})

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
    currency: text({ ...currency, default: 'USD' }),
    duration: integer({ about: 'Days that a pass lasts; null for no limit.', min: 1, max: 36_500 }),
  },
})

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
