import { limits } from '@zoetrope/contract'
import type { Entry } from '../../data/records.js'

type Category = Entry<'categories'>

/** One rule of a rule-based playlist. */
export interface Rule {
  readonly category_id: string
  readonly title: string
  readonly value: readonly string[]
  readonly exclude_values: readonly string[]
}

/** The rules in a form. */
export const rulesIn = (held: unknown): readonly Rule[] =>
  (Array.isArray(held) ? (held as readonly Partial<Rule>[]) : []).map((rule) => ({
    category_id: rule.category_id ?? '',
    title: rule.title ?? '',
    value: rule.value ?? [],
    exclude_values: rule.exclude_values ?? [],
  }))

type Named = readonly [title: string, values: readonly string[]]

/** Filters for the list of videos that find the videos matching the rules. */
type Filter = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

function together(named: readonly Named[]): Filter[string] {
  const titles = [...new Set(named.map(([title]) => title))]
  const valuesOf = (title: string) =>
    new Set(named.flatMap(([name, values]) => (name === title ? values : [])))
  return Object.fromEntries(titles.map((title) => [title, [...valuesOf(title)]]))
}

/** Filter names cannot contain brackets, and short numbers are parsed as list indexes. */
const isNameable = ([title]: Named) => !/[[\]]|^\d{1,4}$/.test(title)

const isTooMuch = (named: readonly Named[]) =>
  named.reduce((sum, [, values]) => sum + values.length, 0) > limits.filter_values.value

/**
 * The filters that preview a playlist with these rules before it is saved. Returns `none` if no video can match, and
 * undefined if filters cannot express the rules.
 */
export function filterFor(
  rules: readonly Rule[],
  isAll: boolean,
  known: readonly Category[],
): Filter | 'none' | undefined {
  const wanted = rules.flatMap(({ category_id, title, value }): readonly Named[] => {
    const values = value.length > 0 ? value : known.find(({ _id }) => _id === category_id)?.values
    return values ? [[title, values]] : []
  })
  if (wanted.length < rules.length) return undefined
  const isMet = ([, values]: Named) => values.length > 0
  if (!(isAll ? rules.length > 0 && wanted.every(isMet) : wanted.some(isMet))) return 'none'
  const unwanted = rules.map(({ title, exclude_values }): Named => [title, exclude_values]).filter(isMet)
  const isTwice = isAll && new Set(wanted.map(([title]) => title)).size < wanted.length
  const named = [...wanted, ...unwanted]
  if (isTwice || isTooMuch(named) || !named.every(isNameable)) return undefined
  return {
    [isAll ? 'category' : 'category_or']: together(wanted),
    ...(unwanted.length > 0 ? { 'category!': together(unwanted) } : {}),
  }
}
