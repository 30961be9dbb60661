import { useNavigate } from '@tanstack/react-router'
import { defineSearch } from '../../ui/define-search.js'

const names = ['kind', 'action', 'actor', 'days'] as const

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

/** The router reads numbers in an address as such. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function queryOf({ kind, action, actor, days }: Readonly<Record<FilterName, string>>) {
  const type = typesOf(kind, action)
  const since = startOf(Number(days))
  return {
    ...(type && { type }),
    ...(actor && { actor }),
    ...(since && { 'created_at.gte': since }),
  }
}

/** All types of events about these records with one of these actions. */
function typesOf(kind: string, action: string): string {
  const kinds = (kind || '*.*').split(',').map((each) => each.split('.')[0])
  if (!action) return kind
  return kinds.flatMap((each) => action.split(',').map((verb) => `${each}.${verb}`)).join(',')
}

/** The start of today in the user's time zone, or of an earlier day. */
function startOf(days: number): string | undefined {
  if (!(days >= 1)) return undefined
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - days + 1)
  return day.toISOString()
}
