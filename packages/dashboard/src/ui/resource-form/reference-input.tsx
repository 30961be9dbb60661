import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type Catalog, catalog, nullable, type Resource } from '@zoetrope/contract'
import { type ComponentType, useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { type Plain, plainCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { strings } from '../strings.js'
import { type InputProps, shared } from './input-props.js'

const shownAtOnce = 20
const typingMs = 200

/** The query that also finds hidden records. */
const everything = ({ fields }: Resource) =>
  Object.values(fields).some((field) => 'hides' in field && field.hides) ? { active: 'all' } : {}

interface PickerProps<Value> {
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly error?: string | undefined
  readonly disabled?: boolean
  readonly required?: boolean
  readonly clearable?: boolean
  readonly value: Value
  onChange(value: Value): void
}

/** Two inputs that search records of a resource. One holds a single id, the other a list of ids. */
export function pickersOf(name: keyof Catalog, label = 'title') {
  const nameOf = (record: Plain) => String(record[label] ?? record._id)

  /** The chosen records and the search results, with their names. */
  function useOptions(chosen: readonly string[], search: string) {
    const { client, channel } = useSession()
    const calls = plainCalls(client, name)
    const [q] = useDebouncedValue(search, typingMs)
    const found = useQuery({
      queryKey: keyOf(name, channel._id, 'list', 'choices', q),
      queryFn: ({ signal }) =>
        calls.list({ ...everything(catalog[name]), ...(q ? { q } : {}), per_page: shownAtOnce }, { signal }),
      placeholderData: keepPreviousData,
    })
    const known = useQueries({
      queries: chosen.map((id) => ({
        queryKey: keyOf(name, channel._id, 'record', id),
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => calls.get(id, { signal }),
        retry: false,
      })),
    })
    const labels = new Map(
      chosen.map((id, index) => [id, known[index]?.data ? nameOf(known[index].data) : id]),
    )
    for (const record of found.data?.response ?? []) labels.set(record._id, nameOf(record))
    return [...labels].map(([value, text]) => ({ value, label: text }))
  }

  function One({ value, ...props }: PickerProps<string | null>) {
    const [search, setSearch] = useState('')
    const [isTyped, setIsTyped] = useState(false)
    // The input also reports the label of the selected record as a search.
    const data = useOptions(value ? [value] : [], isTyped ? search : '')
    return (
      <Select
        {...props}
        data={data}
        value={value}
        searchable
        searchValue={search}
        onSearchChange={(text) => {
          setSearch(text)
          setIsTyped(!data.some((option) => option.value === value && option.label === text))
        }}
        // A dialog focuses its first field, and the list would cover its button.
        openOnFocus={false}
        placeholder={strings.choose}
        nothingFoundMessage={strings.noneFound}
      />
    )
  }

  function Many({ value, ...props }: PickerProps<string[]>) {
    const [search, setSearch] = useState('')
    const data = useOptions(value, search)
    return (
      <MultiSelect
        {...props}
        data={data}
        value={value}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        placeholder={strings.choose}
        nothingFoundMessage={strings.noneFound}
      />
    )
  }

  return { One, Many }
}

/** The form input for a field that holds ids of another resource. */
export function referenceTo(name: keyof Catalog, label?: string): ComponentType<InputProps> {
  const { One, Many } = pickersOf(name, label)
  return function Reference(props: InputProps) {
    const { field, value, onChange } = props
    if (field.kind === 'list')
      return (
        <Many {...shared(props)} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />
      )
    const id = typeof value === 'string' && value !== '' ? value : null
    return <One {...shared(props)} clearable={nullable(field)} value={id} onChange={onChange} />
  }
}
