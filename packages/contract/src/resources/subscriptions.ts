import { choice, flag, id, integer, money, number, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

/** Payment providers. */
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
  shownIn: 'consumers',
  about:
    'The subscription of a consumer to a plan. It is valid until its period ends; a renewal moves that end.',
  access: {},
  includes: { consumer: 'consumers', plan: 'plans' },
  fields: {
    consumer_id: id({ about: 'Who has subscribed.', required: true, filter: ['is'] }),
    plan_id: id({ about: 'The plan.', required: true, filter: ['is'] }),
    plan_name: text({ about: 'Name of the plan.', computed: true, always: true, search: true }),
    status: choice(['active', 'canceled', 'paused'], {
      about:
        'Only an active subscription gives access to videos, and a cancelled one with cancel_at_period_end until its period ends.',
      default: 'active',
      filter: ['is', 'not'],
    }),
    start_at: timestamp({ about: 'When it began.', computed: true, default: 'now' }),
    current_period_start_at: timestamp({
      about: 'When the paid period began. Its end is computed from this and the plan.',
      default: 'now',
    }),
    current_period_end_at: timestamp({
      about: 'When that period ends, and the subscription with it unless it is renewed; null for never.',
      filter: ['range'],
    }),
    days_remaining: integer({ about: 'Whole days until then.', computed: true, derived: true }),
    cancelled_at: timestamp({ about: 'When it was cancelled.' }),
    cancel_at_period_end: flag({ about: 'A cancelled subscription stays valid until its period ends.' }),
    trial_end: timestamp({ about: 'When the free trial ends; the first period ends with it.' }),
    trial_from_plan: flag({
      about: 'A new subscription begins with the free trial of its plan.',
      writeOnly: true,
    }),
    trial_period_days: integer({ about: 'Days of the free trial of the plan.', computed: true, default: 0 }),
    amount: money({ about: 'Price of a period.', computed: true, always: true }),
    currency: text({ about: 'Its currency.', computed: true, always: true }),
    interval: choice(['month', 'year', 'lifetime'], {
      about: 'How long a period is.',
      computed: true,
      always: true,
    }),
    interval_count: integer({ about: 'Months or years of it.', computed: true, always: true }),
    mrr: money({ about: 'Monthly recurring revenue.', computed: true, always: true }),
    coupon_code: text({ about: 'The coupon it was bought with.', search: true }),
    discount_amount: money({ about: 'The discount on the price, as an amount.' }),
    discount_percent: number({ about: 'The discount in per cent.', max: 100 }),
    discount_duration: text({
      about: 'How long the discount lasts, in the terms of the provider.',
      maxLength: 40,
    }),
    discount_duration_months: integer({ about: 'How many months the discount lasts.', max: 1200 }),
    payment_provider: choice(paymentProviders, {
      about: 'The payment provider; may be sent outside of the wrapper as type.',
      beside: ['type'],
      filter: ['is'],
    }),
    third_party_id: text({
      about: 'The id of the subscription at another provider.',
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
      about: 'Reverts a cancellation or a pause, if its period has not ended.',
      access: {},
    },
  },
})

export const subscriptionEntitlements = defineResource({
  name: 'subscription_entitlement',
  plural: 'subscription_entitlements',
  about:
    'What a consumer may currently watch through subscriptions: everything for subscribers, or a playlist.',
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
