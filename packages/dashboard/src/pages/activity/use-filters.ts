import { useNavigate } from '@tanstack/react-router'
import { defineSearch } from '../../ui/define-search.js'

const names = ['kind', 'action', 'actor', 'from', 'until'] as const

export type FilterName = (typeof names)[number]

const search = defineSearch<Readonly<Record<string, unknown>>>()

/** The filters of the page, which are in its URL, and the same as the API takes them. */
export function useFilters() {
  const given = search.useSearch()
  const navigate = useNavigate()
  const values = Object.fromEntries(names.map((name) => [name, textOf(given[name])])) as Record<
    FilterName,
    string
  >
  const go = (next: object) => void navigate({ to: '.', search: search.to({ ...next }), replace: true })
  return {
    values,
    isNarrowed: names.some((name) => values[name] !== ''),
    query: queryOf(values),
    set: (name: FilterName, value: string) => go({ ...given, [name]: value || undefined }),
    clear: () => go({}),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function queryOf({ kind, action, actor, from, until }: Readonly<Record<FilterName, string>>) {
  const type = typesOf(kind, action)
  const [since, before] = [startOf(from, 0), startOf(until, 1)]
  return {
    ...(type && { type }),
    ...(actor && { actor }),
    ...(since && { 'created_at.gte': since }),
    ...(before && { 'created_at.lt': before }),
  }
}

/** All types of events about these records with one of these actions. */
function typesOf(kind: string, action: string): string {
  const kinds = (kind || '*.*').split(',').map((each) => each.split('.')[0])
  if (!action) return kind
  return kinds.flatMap((each) => action.split(',').map((verb) => `${each}.${verb}`)).join(',')
}

/** The start of a day in the user's time zone, or of a later day. */
function startOf(date: string, daysLater: number): string | undefined {
  const day = new Date(`${date}T00:00`)
  if (date === '' || Number.isNaN(day.getTime())) return undefined
  day.setDate(day.getDate() + daysLater)
  return day.toISOString()
}
