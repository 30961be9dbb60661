import { isIP } from 'node:net'
import { type BodyOf, type Catalog, limits } from '@zoetrope/contract'
import { invalid, notFound } from '../../errors.js'
import { isNetwork } from '../../lib/networks.js'
import { newId } from '../../lib/object-id.js'
import { countriesIn } from './write.js'

/** A rule of a profile, as its record shows it. */
export interface ProfileRule {
  readonly _id: string
  readonly match_type: string
  readonly countries: readonly string[]
  readonly ip_addresses: readonly string[]
  readonly ip_ranges: readonly { readonly start: string; readonly end: string }[]
  readonly content_rule_group_ids: readonly string[]
  readonly device_ids: readonly string[]
  readonly device_category_ids: readonly string[]
  readonly starts_at: string | null
  readonly ends_at: string | null
  readonly [field: string]: unknown
}

export type RuleChange = NonNullable<
  BodyOf<Catalog['content_rule_profiles']>['content_rules_attributes']
>[number]

const field = 'content_rules_attributes'
const badRule = (why: string) => invalid(`Could not save content rule profile: ${why}.`, { [field]: [why] })

/** The fields that each match type reads. */
const lists = {
  country: ['countries'],
  state: ['states'],
  city: ['cities'],
  zip_code: ['zip_codes'],
  dma_code: ['dma_codes'],
  ip_address: ['ip_addresses', 'ip_ranges'],
} as const satisfies Record<string, readonly string[]>

const blank = (): ProfileRule => ({
  _id: newId(),
  name: null,
  policy: 'deny',
  priority: 1,
  stackable: true,
  enabled: true,
  match_type: '',
  countries: [],
  states: [],
  cities: [],
  zip_codes: [],
  dma_codes: [],
  ip_addresses: [],
  ip_ranges: [],
  content_rule_group_ids: [],
  device_ids: [],
  device_category_ids: [],
  domains: [],
  starts_at: null,
  ends_at: null,
  created_at: new Date().toISOString(),
})

/** Applies changes to the rules of a profile. Changes without an id add a rule. */
export function changeRules(
  now: readonly ProfileRule[],
  changes: readonly RuleChange[],
): readonly ProfileRule[] {
  const after = changes.reduce(changeOne, now)
  const most = limits.content_rules.value
  if (after.length > most) throw badRule(`a profile has at most ${most} rules`)
  return after
}

function changeOne(
  rules: readonly ProfileRule[],
  { id, _destroy, geographies = [], ...given }: RuleChange,
): readonly ProfileRule[] {
  const found = rules.find(({ _id }) => _id === id)
  if (id && !found) throw notFound('content_rule')
  if (_destroy) return rules.filter((each) => each !== found)
  const old = found ?? blank()
  const more = geographies.flatMap(({ countries = [] }) => countries)
  const countries = [...(given.countries ?? (more.length > 0 ? [] : old.countries)), ...more]
  const next = checked({ ...old, ...given, countries })
  return found ? rules.map((each) => (each === found ? next : each)) : [...rules, next]
}

function checked(rule: ProfileRule): ProfileRule {
  if (rule.content_rule_group_ids.length > 0)
    throw badRule('content_rule_group_ids must be empty: there are no groups here, so write their members')
  const match_type = rule.match_type || matchTypeOf(rule)
  if (match_type !== 'global' && !isFilled(rule, match_type))
    throw badRule(`a rule with the match_type ${match_type} must name at least one`)
  for (const address of [...rule.ip_addresses, ...rule.ip_ranges.flatMap(({ start, end }) => [start, end])])
    if (!isNetwork(address)) throw badRule(`${address} is no network address`)
  if (rule.ip_ranges.some(({ start, end }) => isIP(start) === 0 || isIP(start) !== isIP(end)))
    throw badRule('a range goes from one address to another of the same kind')
  if (rule.starts_at && rule.ends_at && !(new Date(rule.starts_at) < new Date(rule.ends_at)))
    throw badRule('ends_at must be after starts_at')
  const countries = rule.countries.length > 0 ? countriesIn(field, rule.countries) : []
  return { ...rule, match_type, countries }
}

const isFilled = (rule: ProfileRule, match_type: string): boolean =>
  (lists[match_type as keyof typeof lists] ?? []).some(
    (name) => (rule[name] as readonly unknown[]).length > 0,
  )

const matchTypeOf = (rule: ProfileRule): string =>
  Object.keys(lists).find((match_type) => isFilled(rule, match_type)) ?? 'global'
