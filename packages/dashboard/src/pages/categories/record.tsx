import { RecordPage } from '../../ui/record-pages/record-page.js'
import { RecordRules } from '../../ui/rule-list/record-rules.js'
import { categories } from './kind.js'
import { strings } from './strings.js'

export const Page = () => (
  <RecordPage kind={categories}>
    {({ _id }) => <RecordRules name="category_content_rules" parentId={_id} {...strings.rules} />}
  </RecordPage>
)
