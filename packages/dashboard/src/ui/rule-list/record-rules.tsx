import { useQuery, useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { contentRuleWords } from '@zoetrope/contract/words/content-rules'
import type { CallOptions } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import { nestedCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { CountryPicker } from '../country-picker.js'
import type { FieldGroup } from '../resource-form/form-groups.js'
import { type InputProps, shared } from '../resource-form/input-props.js'
import { referenceTo } from '../resource-form/reference-input.js'
import type { Values } from '../resource-form/values.js'
import { Loaded, Waiting } from '../states.js'
import { RuleList } from './rule-list.js'
import { countriesOf } from './rule-words.js'

/** The countries of a rule, shown as one list. */
const Countries = (props: InputProps) => (
  <CountryPicker
    {...shared(props)}
    value={countriesOf(props.value)}
    onChange={(countries) => props.onChange(countries.length === 0 ? [] : [{ countries }])}
  />
)

export const deviceInputs = {
  device_ids: referenceTo('devices', 'name'),
  device_category_ids: referenceTo('device_categories', 'name'),
}

const inputs = { ...deviceInputs, geographies: Countries }

/** The fields for a rule's conditions besides the country, and for its precedence. */
export const circumstances = ['domains', 'device_category_ids', 'device_ids', 'starts_at', 'ends_at'] as const
export const standing = ['priority', 'stackable', 'enabled'] as const

const groups: readonly FieldGroup<keyof typeof contentRuleWords>[] = [
  { fields: ['name', 'policy', 'geographies', ...circumstances, ...standing] },
]

type RuleResource = 'video_content_rules' | 'playlist_content_rules' | 'category_content_rules'

interface RecordRulesProps {
  readonly name: RuleResource
  /** The record that the rules apply to. */
  readonly parentId: string
  readonly title: string
  readonly about: string
  readonly empty: string
}

/** The rules of one record: by country, site, kind of device and time. */
export function RecordRules({ name, parentId, ...words }: RecordRulesProps) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const calls = nestedCalls(client, name)
  const queryKey = keyOf(name, channel._id, 'list', parentId)
  const rules = useQuery({
    queryKey,
    queryFn: ({ signal }) => calls.list(parentId, { per_page: 100 }, { signal }),
  })
  const book = {
    resource: catalog[name],
    words: contentRuleWords,
    groups,
    inputs,
    read: (id: string, options: CallOptions) => calls.get(parentId, id, options),
    create: (fields: Values, options: CallOptions) => calls.create(parentId, fields, options),
    update: (id: string, changes: Values, options: CallOptions) =>
      calls.update(parentId, id, changes, options),
    remove: (id: string, options: CallOptions) => calls.remove(parentId, id, options),
    renew: () => void queries.invalidateQueries({ queryKey }),
  }
  return (
    <Loaded query={rules} waiting={<Waiting rows={1} />}>
      {({ response }) => <RuleList {...words} rules={response} book={book} />}
    </Loaded>
  )
}
