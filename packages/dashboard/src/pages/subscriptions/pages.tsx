import { catalog } from '@zoetrope/contract'
import { subscriptionWords } from '@zoetrope/contract/words/payments'
import { useEffect } from 'react'
import { keyOf } from '../../data/keys.js'
import { onlyPlan, useOffers } from '../../data/offers.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { optionLabel } from '../../ui/field-words.js'
import { money } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import type { InputProps } from '../../ui/resource-form/input-props.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { useUndoable } from '../../ui/use-undoable.js'
import { strings } from './strings.js'

const PlanPicker = referenceTo('plans', 'name')

/** The plan of a subscription. The only plan of a channel is chosen for a new one. */
function PlanInput(props: InputProps) {
  const { value, isDisabled, onChange } = props
  const only = onlyPlan(useOffers().plans.data)
  const isEmpty = !value && !isDisabled
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is chosen once, and may be cleared then
  useEffect(() => {
    if (isEmpty && only) onChange(only)
  }, [only])
  return <PlanPicker {...props} />
}

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
    {
      field: 'current_period_end_at',
      render: ({ current_period_end_at }) => (current_period_end_at === null ? strings.noEnd : undefined),
    },
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
  inputs: { consumer_id: referenceTo('consumers', 'email'), plan_id: PlanInput },
}

export const List = () => <ListPage kind={subscriptions} />

const stale = [keyOf('subscriptions'), keyOf('consumers')]

export function Record() {
  const { client, mayEdit } = useSession()
  const report = useUndoable()
  return (
    <RecordPage
      kind={subscriptions}
      actions={({ _id, status }) =>
        mayEdit &&
        (status === 'active' ? (
          <ActionButton
            run={() =>
              report(strings.cancelled, (options) => client.subscriptions.cancel(_id, options), 'saved')
            }
            failed={strings.notChanged}
            stale={stale}
          >
            {strings.cancel}
          </ActionButton>
        ) : (
          <ActionButton
            run={() =>
              report(strings.reactivated, (options) => client.subscriptions.reactivate(_id, options), 'saved')
            }
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
