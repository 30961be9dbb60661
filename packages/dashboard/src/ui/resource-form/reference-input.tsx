import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type Catalog, catalog, nullable, type Resource } from '@zoetrope/contract'
import { type ComponentType, useState } from 'react'
import { type Plain, plainCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { strings } from '../strings.js'
import { type InputProps, shared } from './input-props.js'

const shownAtOnce = 20
const typingMs = 200

/** What a list is asked for, so that hidden ones are found too. */
const everything = ({ fields }: Resource) =>
  Object.values(fields).some((field) => 'hides' in field && field.hides) ? { active: 'all' } : {}

/** An input that finds records of another resource by typing, and holds their ids. */
export function referenceTo(name: keyof Catalog, label = 'title'): ComponentType<InputProps> {
  const nameOf = (record: Plain) => String(record[label] ?? record._id)

  /** What is chosen, by name, and what was found. */
  function useOptions(chosen: readonly string[], search: string) {
    const { client, channel } = useSession()
    const calls = plainCalls(client, name)
    const [q] = useDebouncedValue(search, typingMs)
    const found = useQuery({
      queryKey: [name, channel._id, 'choices', q],
      queryFn: ({ signal }) =>
        calls.list({ ...everything(catalog[name]), ...(q ? { q } : {}), per_page: shownAtOnce }, { signal }),
      placeholderData: keepPreviousData,
    })
    const known = useQueries({
      queries: chosen.map((id) => ({
        queryKey: [name, channel._id, 'record', id],
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

  function One(props: InputProps) {
    const value = typeof props.value === 'string' && props.value !== '' ? props.value : null
    const [search, setSearch] = useState('')
    const [isTyped, setIsTyped] = useState(false)
    // What the field shows of the choice itself is no search.
    const data = useOptions(value ? [value] : [], isTyped ? search : '')
    return (
      <Select
        {...shared(props)}
        data={data}
        value={value}
        onChange={props.onChange}
        searchable
        searchValue={search}
        onSearchChange={(text) => {
          setSearch(text)
          setIsTyped(!data.some((option) => option.value === value && option.label === text))
        }}
        clearable={nullable(props.field)}
        placeholder={strings.choose}
        nothingFoundMessage={strings.noneFound}
      />
    )
  }

  function Many(props: InputProps) {
    const value = Array.isArray(props.value) ? props.value.map(String) : []
    const [search, setSearch] = useState('')
    const data = useOptions(value, search)
    return (
      <MultiSelect
        {...shared(props)}
        data={data}
        value={value}
        onChange={props.onChange}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        placeholder={strings.choose}
        nothingFoundMessage={strings.noneFound}
      />
    )
  }

  return function Reference(props: InputProps) {
    return props.field.kind === 'list' ? <Many {...props} /> : <One {...props} />
  }
}
