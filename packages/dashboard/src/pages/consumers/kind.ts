import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { strings } from './strings.js'

export const consumers: RecordKind = {
  name: 'consumers',
  resource: catalog.consumers,
  path: '/consumers',
  icon: 'users',
  strings,
  titleOf: ({ name, email }) => String(name || email),
  columns: [
    'email',
    { field: 'name' },
    { field: 'subscription_count', isOnPhone: true },
    'current_sign_in_at',
    'created_at',
  ],
  filters: ['terms', 'updates'],
  groups: [
    { title: strings.person, fields: ['email', 'name', 'password', 'birthday', 'sex', 'terms', 'updates'] },
    { title: strings.access, fields: ['super_watcher'] },
    { title: strings.parental, fields: ['parental_access_code', 'parental_access_rating'] },
    { title: strings.billing, fields: ['stripe_id', 'braintree_id', 'recurly_code'] },
    { title: strings.own, fields: ['custom'] },
  ],
}
