import { choice, flag, id, integer, money, number, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

/** Who is paid. */
export const paymentProviders = [
  'stripe',
  'braintree',
  'recurly',
  'redemption',
  'third_party',
  'amazon_fire',
  'google_play',
  'itunes',
  'samsung',
  'tizen',
  'roku',
] as const

export const subscriptions = defineResource({
  name: 'subscription',
  plural: 'subscriptions',
  about:
    'That a consumer has subscribed to a plan. It holds until its period ends; a renewal moves that end.',
  access: {},
  fields: {
    consumer_id: id({ about: 'Who has subscribed.', required: true, filter: ['is'] }),
    plan_id: id({ about: 'The plan.', required: true, filter: ['is'] }),
    plan_name: text({ about: 'Name of the plan.', computed: true, always: true, search: true }),
    status: choice(['active', 'canceled', 'paused'], {
      about:
        'Only an active one opens videos, and a cancelled one with cancel_at_period_end until its period ends.',
      default: 'active',
      filter: ['is', 'not'],
    }),
    start_at: timestamp({ about: 'When it began.', computed: true, default: 'now' }),
    current_period_start_at: timestamp({
      about: 'When the period began that is paid for. The end follows from it and the plan.',
      default: 'now',
    }),
    current_period_end_at: timestamp({
      about: 'When that period ends, and the subscription with it unless it is renewed; null for never.',
      filter: ['range'],
    }),
    days_remaining: integer({ about: 'Whole days until then.', computed: true, derived: true }),
    cancelled_at: timestamp({ about: 'When it was cancelled.' }),
    cancel_at_period_end: flag({ about: 'A cancelled one holds until its period ends.' }),
    trial_end: timestamp({ about: 'When what costs nothing ends; the first period ends with it.' }),
    trial_from_plan: flag({
      about: 'A new one begins with the days of its plan that cost nothing.',
      writeOnly: true,
    }),
    trial_period_days: integer({ about: 'Days of the plan that cost nothing.', computed: true, default: 0 }),
    amount: money({ about: 'Price of a period.', computed: true, always: true }),
    currency: text({ about: 'Its currency.', computed: true, always: true }),
    interval: choice(['month', 'year', 'lifetime'], {
      about: 'How long a period is.',
      computed: true,
      always: true,
    }),
    interval_count: integer({ about: 'Months or years of it.', computed: true, always: true }),
    mrr: money({ about: 'What it earns in a month.', computed: true, always: true }),
    coupon_code: text({ about: 'The coupon it was bought with.', search: true }),
    discount_amount: money({ about: 'What is taken off the price.' }),
    discount_percent: number({ about: 'Per cent that are taken off.', max: 100 }),
    discount_duration: text({ about: 'For how long, in words of the provider.', maxLength: 40 }),
    discount_duration_months: integer({ about: 'For how many months.', max: 1200 }),
    payment_provider: choice(paymentProviders, {
      about: 'Who is paid; may stand beside the wrapper as type.',
      beside: ['type'],
      filter: ['is'],
    }),
    third_party_id: text({
      about: 'The subscription where it is billed elsewhere.',
      filter: ['is'],
      search: true,
    }),
    stripe_id: text({ about: 'The subscription at Stripe.', filter: ['is'], search: true }),
    braintree_id: text({ about: 'The subscription at Braintree.', filter: ['is'], search: true }),
    recurly_code: text({ about: 'The account at Recurly.', filter: ['is'], search: true }),
    recurly_uuid: text({ about: 'The subscription at Recurly.' }),
    receipt_id: text({ about: 'The receipt of an app store.', filter: ['is'], search: true }),
  },
  actions: {
    cancel: {
      method: 'PUT',
      about: 'Cancels it at the end of its period, or at once if it has none. It can be reactivated.',
      access: {},
    },
    reactivate: {
      method: 'PUT',
      about: 'Takes a cancellation or a pause back, as long as its period has not ended.',
      access: {},
    },
  },
})

export const subscriptionEntitlements = defineResource({
  name: 'subscription_entitlement',
  plural: 'subscription_entitlements',
  about: 'What the subscriptions of a consumer open now: everything for subscribers, or a playlist.',
  access: { consumer: ['list'] },
  within: consumers,
  derived: true,
  operations: ['list'],
  fields: {
    consumer_id: id({ about: 'Who may watch.', computed: true, always: true }),
    subscription_id: id({ about: 'By which subscription.', computed: true, always: true, filter: ['is'] }),
    plan_id: id({ about: 'By which plan.', computed: true, always: true, filter: ['is'] }),
    plan_name: text({ about: 'Name of the plan.', computed: true, always: true }),
    entitlement_type: choice(['global', 'tiered'], {
      about: 'Everything for subscribers, or a playlist.',
      computed: true,
      always: true,
      filter: ['is'],
    }),
    playlist_id: id({ about: 'The playlist; null for everything.', computed: true, filter: ['is'] }),
    expires_at: timestamp({
      about: 'When it ends; null for never.',
      computed: true,
      filter: ['is', 'range'],
    }),
  },
})
