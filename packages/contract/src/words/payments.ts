import type { redemptionCodes } from '../resources/redemption-codes.js'
import type { subscriptions } from '../resources/subscriptions.js'
import type { transactions } from '../resources/transactions.js'
import type { WordsOf } from './field-words.js'

/** Names of payment providers and app stores. */
const providers = {
  stripe: 'Stripe',
  braintree: 'Braintree',
  recurly: 'Recurly',
  redemption: 'Redemption code',
  third_party: 'Other',
  amazon_fire: 'Amazon Fire',
  google_play: 'Google Play',
  itunes: 'iTunes',
  samsung: 'Samsung',
  tizen: 'Tizen',
  roku: 'Roku',
} as const

export const subscriptionWords = {
  consumer_id: { label: 'Viewer', help: null },
  plan_id: { label: 'Plan', help: null },
  plan_name: { label: 'Plan', help: null },
  status: {
    label: 'Status',
    help: 'Only active subscriptions unlock videos, and canceled ones that run until the end of their period.',
    options: { active: 'Active', canceled: 'Canceled', paused: 'Paused' },
  },
  amount: { label: 'Price', help: null },
  current_period_start_at: { label: 'Period started', help: null },
  current_period_end_at: {
    label: 'Period ends',
    help: 'Computed from the start and the plan unless you set it.',
  },
  cancelled_at: { label: 'Canceled on', help: null },
  cancel_at_period_end: {
    label: 'Runs until the end of the period',
    help: 'After it is canceled, the viewer can watch until the paid period ends.',
  },
  trial_end: { label: 'Free trial ends', help: null },
  coupon_code: { label: 'Coupon code', help: null },
  discount_amount: { label: 'Discount (amount)', help: 'For example 1.00' },
  discount_percent: { label: 'Discount (percent)', help: null },
  discount_duration: {
    label: 'Discount lasts',
    help: 'As your payment provider calls it, such as once or forever.',
  },
  discount_duration_months: { label: 'Discount lasts (months)', help: null },
  payment_provider: { label: 'Payment provider', help: null, options: providers },
  third_party_id: { label: 'Other subscription ID', help: 'The ID at any other provider.' },
  stripe_id: { label: 'Stripe subscription ID', help: null },
  braintree_id: { label: 'Braintree subscription ID', help: null },
  recurly_code: { label: 'Recurly account code', help: null },
  recurly_uuid: { label: 'Recurly subscription ID', help: null },
  receipt_id: { label: 'App store receipt', help: null },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof subscriptions, 'trial_from_plan'>

export const transactionWords = {
  provider: {
    label: 'Payment provider',
    help: null,
    options: {
      stripe: providers.stripe,
      braintree: providers.braintree,
      recurly: providers.recurly,
      roku: providers.roku,
      apple_tv: 'Apple TV',
      third_party: providers.third_party,
      redemption: providers.redemption,
    },
  },
  consumer_id: { label: 'Viewer', help: null },
  transaction_type: {
    label: 'Type',
    help: null,
    options: { purchase: 'Purchase', rental: 'Rental', pass: 'Pass' },
  },
  video_id: { label: 'Video', help: null },
  playlist_id: { label: 'Playlist', help: null },
  pass_plan_id: { label: 'Pass', help: null },
  amount: { label: 'Amount paid', help: 'For example 4.99' },
  currency: { label: 'Currency', help: 'A code such as USD or EUR.' },
  description: { label: 'Description', help: 'For your own lists.' },
  stripe_id: { label: 'Stripe payment ID', help: null },
  braintree_id: { label: 'Braintree payment ID', help: null },
  recurly_invoice_number: { label: 'Recurly invoice number', help: null },
  roku_id: { label: 'Roku payment ID', help: null },
  apple_id: { label: 'Apple payment ID', help: null },
  third_party_id: { label: 'Other payment ID', help: 'The ID at any other provider.' },
  expires_at: { label: 'Access ends', help: null },
  created_at: { label: 'Date', help: null },
} as const satisfies WordsOf<typeof transactions>

export const redemptionCodeWords = {
  code: { label: 'Code', help: 'Capital letters and digits. Leave empty for a random code.' },
  video_id: { label: 'Video', help: 'The video that the code unlocks.' },
  playlist_id: { label: 'Playlist', help: 'The playlist that the code unlocks.' },
  plan_id: { label: 'Plan', help: 'The plan that the code subscribes to, for one period.' },
  pass_plan_id: { label: 'Pass', help: 'The pass that the code gives.' },
  expiration_date: { label: 'Valid until', help: 'Leave empty for no limit.' },
  redeemed: { label: 'Redeemed', help: null },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof redemptionCodes>
