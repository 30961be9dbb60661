import { choice, id, longText, money, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const transactions = defineResource({
  name: 'transaction',
  plural: 'transactions',
  shownIn: 'consumers',
  about:
    'Records that a consumer has paid for a video, a playlist or a pass, as reported by the payment provider. It gives access to that item; removing it ends the access.',
  access: {},
  includes: { consumer: 'consumers', video: 'videos', playlist: 'playlists', pass_plan: 'pass_plans' },
  fields: {
    provider: choice(['stripe', 'braintree', 'recurly', 'roku', 'apple_tv', 'third_party', 'redemption'], {
      about: 'The payment provider; may be sent outside of the wrapper.',
      required: true,
      beside: ['provider'],
      filter: ['is'],
    }),
    consumer_id: id({ about: 'Who has paid.', required: true, filter: ['is'] }),
    transaction_type: choice(['purchase', 'rental', 'pass'], {
      about: 'The kind of transaction: pass with pass_plan_id, otherwise purchase unless you send rental.',
      always: true,
      filter: ['is'],
    }),
    video_id: id({ about: 'The video that was bought.', filter: ['is'] }),
    playlist_id: id({ about: 'The playlist that was bought.', filter: ['is'] }),
    pass_plan_id: id({ about: 'The pass that was bought.', filter: ['is'] }),
    amount: money({ about: 'What was paid, as a decimal string.' }),
    currency: text({ about: 'Its currency.', default: 'USD', maxLength: 3 }),
    description: longText({ about: 'A description for people.', search: true }),
    status: text({ about: 'Always authorized.', computed: true, default: 'authorized' }),
    expires_at: timestamp({
      about: 'When the access ends, by the duration of the rental or the pass; null for never.',
      computed: true,
      filter: ['is', 'range'],
    }),
    stripe_id: text({ about: 'The payment at Stripe.', filter: ['is'], search: true }),
    braintree_id: text({ about: 'The payment at Braintree.', filter: ['is'], search: true }),
    recurly_invoice_number: text({ about: 'The invoice at Recurly.', filter: ['is'], search: true }),
    roku_id: text({ about: 'The payment at Roku.', filter: ['is'], search: true }),
    apple_id: text({ about: 'The payment at Apple.', filter: ['is'], search: true }),
    third_party_id: text({ about: 'The payment elsewhere.', filter: ['is'], search: true }),
  },
})
