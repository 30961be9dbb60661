import { catalog } from '@zoetrope/contract'
import { planWords } from '@zoetrope/contract/words/plans'
import { money } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { CurrencyInput } from '../../ui/resource-form/money-inputs.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { SubscribePage } from '../../ui/subscribe-page.js'
import { strings } from './strings.js'

const plans: RecordKind<keyof typeof planWords> = {
  name: 'plans',
  resource: catalog.plans,
  words: planWords,
  path: '/plans',
  icon: 'card',
  strings,
  titleOf: ({ name }) => String(name),
  columns: [
    'name',
    {
      field: 'amount',
      render: ({ amount, currency }) => money(String(amount), String(currency)),
      isOnPhone: true,
    },
    'interval',
    'active',
  ],
  filters: ['active'],
  base: { active: 'all' },
  groups: [
    { title: strings.offer, fields: ['name', 'description', 'active'] },
    {
      title: strings.price,
      fields: ['amount', 'currency', 'interval', 'interval_count', 'trial_period_days'],
    },
    { title: strings.opens, fields: ['entitlement_type', 'playlist_ids'] },
    {
      title: strings.elsewhere,
      about: strings.elsewhereAbout,
      fold: 'plans.elsewhere',
      isDense: true,
      fields: [
        'statement_description',
        'stripe_id',
        'stripe_public_key',
        'braintree_id',
        'recurly_code',
        'amazon_id',
        'third_party_id',
        'marketplace_ids',
      ],
    },
  ],
  starting: {
    currency: 'USD',
    interval: 'month',
    interval_count: 1,
    entitlement_type: 'global',
    active: true,
  },
  inputs: { playlist_ids: referenceTo('playlists'), currency: CurrencyInput },
}

export const List = () => <ListPage kind={plans} />

export const Record = () => <RecordPage kind={plans}>{() => <SubscribePage />}</RecordPage>
