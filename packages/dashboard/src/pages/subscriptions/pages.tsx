import { catalog } from '@zoetrope/contract'
import { subscriptionWords } from '@zoetrope/contract/words/payments'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { optionLabel } from '../../ui/field-words.js'
import { money } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

const subscriptions: RecordKind<keyof typeof subscriptionWords> = {
  name: 'subscriptions',
  resource: catalog.subscriptions,
  words: subscriptionWords,
  path: '/subscriptions',
  icon: 'again',
  strings,
  titleOf: ({ plan_name, status }) => `${plan_name} (${optionLabel(subscriptionWords, 'status', status)})`,
  columns: [
    'plan_name',
    { field: 'status', isOnPhone: true },
    { field: 'amount', render: ({ amount, currency }) => money(String(amount), String(currency)) },
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

export const List = () => <ListPage kind={subscriptions} />

const stale = [keyOf('subscriptions'), keyOf('consumers')]

export function Record() {
  const { client, mayEdit } = useSession()
  return (
    <RecordPage
      kind={subscriptions}
      actions={({ _id, status }) =>
        mayEdit &&
        (status === 'active' ? (
          <ActionButton
            run={() => client.subscriptions.cancel(_id)}
            done={strings.cancelled}
            failed={strings.notChanged}
            stale={stale}
          >
            {strings.cancel}
          </ActionButton>
        ) : (
          <ActionButton
            run={() => client.subscriptions.reactivate(_id)}
            done={strings.reactivated}
            failed={strings.notChanged}
            stale={stale}
          >
            {strings.reactivate}
          </ActionButton>
        ))
      }
    />
  )
}
