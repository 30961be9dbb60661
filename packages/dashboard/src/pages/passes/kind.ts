import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { strings } from './strings.js'

export const passes: RecordKind = {
  name: 'pass_plans',
  resource: catalog.pass_plans,
  path: '/passes',
  icon: 'calendar',
  strings,
  titleOf: ({ name }) => String(name),
  columns: [
    'name',
    { field: 'amount', render: ({ amount, currency }) => `${amount} ${currency}`, isOnPhone: true },
    'duration',
    'active',
  ],
  filters: ['active'],
}
