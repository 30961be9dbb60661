import type { passPlans, plans } from '../resources/plans.js'
import type { WordsOf } from './field-words.js'

export const planWords = {
  name: { label: 'Name', help: 'Shown to viewers.' },
  description: { label: 'Description', help: 'Shown next to the name.' },
  active: { label: 'Published', help: 'Viewers can subscribe to it.' },
  amount: { label: 'Price', help: 'Per billing period, for example 4.99' },
  currency: { label: 'Currency', help: 'A code such as USD or EUR.' },
  interval: {
    label: 'Billing period',
    help: null,
    options: { month: 'Monthly', year: 'Yearly', lifetime: 'Once, for life' },
  },
  interval_count: {
    label: 'Months or years per period',
    help: 'For example 3 with Monthly for every quarter.',
  },
  entitlement_type: {
    label: 'Subscribers can watch',
    help: null,
    options: { global: 'All videos for subscribers', tiered: 'Selected playlists' },
  },
  playlist_ids: {
    label: 'Playlists',
    help: 'Required for selected playlists. Includes the playlists inside them.',
  },
  trial_period_days: { label: 'Free trial (days)', help: null },
  statement_description: { label: 'Text on card statements', help: null },
  marketplace_ids: { label: 'App store IDs', help: 'One row per store, such as itunes, googleplay or roku.' },
  stripe_id: { label: 'Stripe plan ID', help: null },
  stripe_public_key: { label: 'Stripe public key', help: 'Your apps use it to call Stripe.' },
  braintree_id: { label: 'Braintree plan ID', help: null },
  recurly_code: { label: 'Recurly plan code', help: null },
  amazon_id: { label: 'Amazon plan ID', help: null },
  third_party_id: { label: 'Other plan ID', help: 'The ID of the plan at any other provider.' },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof plans>

export const passWords = {
  name: { label: 'Name', help: 'Shown to viewers.' },
  description: { label: 'Description', help: 'Shown next to the name.' },
  active: { label: 'Published', help: 'Viewers can buy it.' },
  amount: { label: 'Price', help: 'For example 14.99' },
  currency: { label: 'Currency', help: 'A code such as USD or EUR.' },
  duration: { label: 'Valid for (days)', help: 'Leave empty for no limit.' },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof passPlans>
