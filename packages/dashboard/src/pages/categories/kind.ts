import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { strings } from './strings.js'

export const categories: RecordKind = {
  name: 'categories',
  resource: catalog.categories,
  path: '/categories',
  icon: 'tag',
  strings,
  titleOf: ({ title }) => String(title),
  columns: ['title', 'values', 'created_at'],
  base: { sort: 'title', order: 'asc' },
}
