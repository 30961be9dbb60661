import { catalog } from '@zoetrope/contract'
import { adTagWords } from '@zoetrope/contract/words/library'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

const adTags: RecordKind<keyof typeof adTagWords> = {
  name: 'ad_tags',
  resource: catalog.ad_tags,
  words: adTagWords,
  path: '/ad-tags',
  icon: 'megaphone',
  strings,
  titleOf: ({ name, tag }) => String(name ?? tag ?? ''),
  columns: [
    { field: 'name', render: ({ name, tag }) => String(name ?? tag ?? '') },
    { field: 'tag', label: strings.server },
    'scope',
    'active',
  ],
  filters: ['active', 'scope'],
  base: { active: 'all' },
  groups: [
    { title: strings.server, fields: ['name', '_type', 'tag', 'vmap', 'network_key', 'active', 'disabled'] },
    { title: strings.often, fields: ['scope', 'interval_count', 'interval_seconds'] },
    { title: strings.where, fields: ['device_id', 'device_category_id'] },
  ],
  starting: { active: true },
  inputs: {
    device_id: referenceTo('devices', 'name'),
    device_category_id: referenceTo('device_categories', 'name'),
  },
}

export const List = () => <ListPage kind={adTags} />

export const Record = () => <RecordPage kind={adTags} />
