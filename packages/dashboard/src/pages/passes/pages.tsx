import { catalog } from '@zoetrope/contract'
import { passWords } from '@zoetrope/contract/words/plans'
import { money } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { CurrencyInput } from '../../ui/resource-form/money-inputs.js'
import { strings } from './strings.js'

const passes: RecordKind<keyof typeof passWords> = {
  name: 'pass_plans',
  resource: catalog.pass_plans,
  words: passWords,
  path: '/passes',
  icon: 'calendar',
  strings,
  titleOf: ({ name }) => String(name),
  columns: [
    'name',
    {
      field: 'amount',
      render: ({ amount, currency }) => money(String(amount), String(currency)),
      isOnPhone: true,
    },
    'duration',
    'active',
  ],
  filters: ['active'],
  inputs: { currency: CurrencyInput },
}

export const List = () => <ListPage kind={passes} />

export const Record = () => <RecordPage kind={passes} />
