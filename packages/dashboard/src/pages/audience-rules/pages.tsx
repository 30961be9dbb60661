import { catalog } from '@zoetrope/contract'
import { contentRuleProfileWords } from '@zoetrope/contract/words/content-rules'
import { whole } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { ProfileRules } from './profile-rules.js'
import { strings } from './strings.js'

const audienceRules: RecordKind<keyof typeof contentRuleProfileWords> = {
  name: 'content_rule_profiles',
  resource: catalog.content_rule_profiles,
  words: contentRuleProfileWords,
  path: '/audience-rules',
  icon: 'globe',
  strings,
  titleOf: ({ title }) => String(title ?? strings.untitled),
  columns: [
    'title',
    {
      field: 'content_rules',
      label: strings.rulesColumn,
      render: ({ content_rules }) => whole((content_rules as readonly unknown[]).length),
      isOnPhone: true,
    },
    { field: 'is_default_profile', label: strings.defaultColumn },
    'created_at',
  ],
  groups: [{ title: strings.profile, fields: ['title', 'description', 'is_default_profile'] }],
}

export const List = () => <ListPage kind={audienceRules} />

export const Record = () => (
  <RecordPage kind={audienceRules}>{(record) => <ProfileRules profile={record} />}</RecordPage>
)
