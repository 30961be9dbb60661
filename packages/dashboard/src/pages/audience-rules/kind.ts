import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { strings } from './strings.js'

export const audienceRules: RecordKind = {
  name: 'content_rule_profiles',
  resource: catalog.content_rule_profiles,
  path: '/audience-rules',
  icon: 'globe',
  strings,
  titleOf: ({ title }) => String(title ?? strings.untitled),
  columns: [
    'title',
    {
      field: 'content_rules',
      label: strings.rulesColumn,
      render: ({ content_rules }) => (content_rules as readonly unknown[]).length.toLocaleString(),
      isOnPhone: true,
    },
    { field: 'is_default_profile', label: strings.defaultColumn },
    'created_at',
  ],
  groups: [{ title: strings.profile, fields: ['title', 'description', 'is_default_profile'] }],
}
