import { useQueryClient } from '@tanstack/react-query'
import { catalog, type Resource } from '@zoetrope/contract'
import { profileRuleWords } from '@zoetrope/contract/words/content-rules'
import type { CallOptions } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import type { Plain } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { CountriesField } from '../../ui/country-picker.js'
import type { FieldGroup } from '../../ui/resource-form/form-groups.js'
import type { Values } from '../../ui/resource-form/values.js'
import { circumstances, deviceInputs, standing } from '../../ui/rule-list/record-rules.js'
import { type RuleBook, RuleList } from '../../ui/rule-list/rule-list.js'
import type { Rule } from '../../ui/rule-list/rule-words.js'
import { strings } from './strings.js'

/** The fields of a rule, in the form that ResourceForm reads. */
const resource: Resource = {
  ...catalog.content_rule_profiles,
  fields: catalog.content_rule_profiles.fields.content_rules_attributes.of,
}

const inputs = { ...deviceInputs, countries: CountriesField }

type RuleField = keyof typeof profileRuleWords

const lists: Readonly<Record<string, readonly RuleField[]>> = {
  country: ['countries'],
  state: ['states'],
  city: ['cities'],
  zip_code: ['zip_codes'],
  dma_code: ['dma_codes'],
  ip_address: ['ip_addresses', 'ip_ranges'],
}

const groups: readonly FieldGroup<RuleField>[] = [
  { fields: ['name', 'policy', 'match_type'] },
  ...Object.entries(lists).map(([match_type, fields]) => ({
    title: strings.place,
    fields,
    isShown: (values: Values) => values.match_type === match_type,
  })),
  { title: strings.circumstances, fields: circumstances },
  { title: strings.standing, fields: standing },
]

/** The rules of a profile. They are part of its record, but each is saved separately. */
export function ProfileRules({ profile }: { readonly profile: Plain }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const change = (fields: Values, options?: CallOptions) =>
    client.content_rule_profiles.update(profile._id, { content_rules_attributes: [fields] }, options)
  const book: RuleBook = {
    resource,
    words: profileRuleWords,
    groups,
    inputs,
    async read(id, options) {
      const { content_rules } = await client.content_rule_profiles.get(profile._id, options)
      return content_rules.find((rule) => rule._id === id) ?? {}
    },
    create: change,
    update: (id, changes, options) => change({ ...changes, id }, options),
    remove: (id, options) => change({ id, _destroy: true }, options),
    renew: () => void queries.invalidateQueries({ queryKey: keyOf('content_rule_profiles') }),
  }
  return (
    <RuleList
      title={strings.rules}
      about={strings.rulesAbout}
      empty={strings.noRules}
      rules={profile.content_rules as readonly Rule[]}
      book={book}
    />
  )
}
