import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

export const subscriptions: RecordKind = {
  name: 'subscriptions',
  resource: catalog.subscriptions,
  path: '/subscriptions',
  icon: 'again',
  strings,
  titleOf: ({ plan_name, status }) => `${plan_name} (${status})`,
  columns: [
    'plan_name',
    { field: 'status', isOnPhone: true },
    { field: 'amount', render: ({ amount, currency }) => `${amount} ${currency}` },
    'current_period_end_at',
    'created_at',
  ],
  filters: ['status', 'payment_provider'],
  groups: [
    { title: strings.who, fields: ['consumer_id', 'plan_id', 'status'] },
    {
      title: strings.period,
      fields: [
        'current_period_start_at',
        'current_period_end_at',
        'trial_end',
        'cancelled_at',
        'cancel_at_period_end',
      ],
    },
    {
      title: strings.discount,
      fields: [
        'coupon_code',
        'discount_amount',
        'discount_percent',
        'discount_duration',
        'discount_duration_months',
      ],
    },
    {
      title: strings.billing,
      fields: [
        'payment_provider',
        'third_party_id',
        'stripe_id',
        'braintree_id',
        'recurly_code',
        'recurly_uuid',
        'receipt_id',
      ],
    },
  ],
  inputs: { consumer_id: referenceTo('consumers', 'email'), plan_id: referenceTo('plans', 'name') },
}
