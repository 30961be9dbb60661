import { catalog } from '@zoetrope/contract'
import { categoryWords } from '@zoetrope/contract/words/library'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { RecordRules } from '../../ui/rule-list/record-rules.js'
import { strings } from './strings.js'

const categories: RecordKind<keyof typeof categoryWords> = {
  name: 'categories',
  resource: catalog.categories,
  words: categoryWords,
  path: '/categories',
  icon: 'tag',
  strings,
  titleOf: ({ title }) => String(title),
  columns: ['title', 'values', 'created_at'],
  base: { sort: 'title', order: 'asc' },
}

export const List = () => <ListPage kind={categories} />

export const Record = () => (
  <RecordPage kind={categories}>
    {({ _id }) => <RecordRules name="category_content_rules" parentId={_id} {...strings.rules} />}
  </RecordPage>
)
