import { catalog } from '@zoetrope/contract'
import { transactionWords } from '@zoetrope/contract/words/payments'
import { optionLabel } from '../../ui/field-words.js'
import { money } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { CurrencyInput } from '../../ui/resource-form/money-inputs.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

const typeOf = (type: unknown) => optionLabel(transactionWords, 'transaction_type', type)

const transactions: RecordKind<keyof typeof transactionWords> = {
  name: 'transactions',
  resource: catalog.transactions,
  words: transactionWords,
  path: '/transactions',
  icon: 'card',
  strings,
  titleOf: ({ description, transaction_type, amount, currency }) =>
    String(
      description ||
        [typeOf(transaction_type), amount && money(String(amount), String(currency))]
          .filter(Boolean)
          .join(', '),
    ),
  columns: [
    {
      field: 'transaction_type',
      render: ({ description, transaction_type }) => String(description || typeOf(transaction_type)),
    },
    {
      field: 'amount',
      render: ({ amount, currency }) => (amount ? money(String(amount), String(currency)) : '–'),
      isOnPhone: true,
    },
    'provider',
    'expires_at',
    'created_at',
  ],
  filters: ['provider', 'transaction_type'],
  groups: [
    {
      title: strings.bought,
      fields: ['consumer_id', 'transaction_type', 'video_id', 'playlist_id', 'pass_plan_id', 'description'],
    },
    {
      title: strings.paid,
      fields: [
        'provider',
        'amount',
        'currency',
        'stripe_id',
        'braintree_id',
        'recurly_invoice_number',
        'roku_id',
        'apple_id',
        'third_party_id',
      ],
    },
  ],
  starting: { currency: 'USD' },
  inputs: {
    consumer_id: referenceTo('consumers', 'email'),
    video_id: referenceTo('videos'),
    playlist_id: referenceTo('playlists'),
    pass_plan_id: referenceTo('pass_plans', 'name'),
    currency: CurrencyInput,
  },
}

export const List = () => <ListPage kind={transactions} />

export const Record = () => <RecordPage kind={transactions} />
