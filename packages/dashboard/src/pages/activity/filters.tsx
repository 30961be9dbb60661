import { Button, Group, NativeSelect } from '@mantine/core'
import { Icon } from '../../ui/icons.js'
import { strings } from './strings.js'
import type { FilterName, useFilters } from './use-filters.js'

interface FiltersProps {
  readonly filters: ReturnType<typeof useFilters>
  /** The people and keys to choose from, by id. */
  readonly actors: ReadonlyMap<string, string>
}

const optionsOf = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([value, label]) => ({ value, label }))

/** Narrows the events by kind of record, action, person or key, and time. */
export function Filters({ filters: { values, isNarrowed, set, clear }, actors }: FiltersProps) {
  const select = (
    name: FilterName,
    label: string,
    any: string,
    options: Readonly<Record<string, string>>,
  ) => (
    <NativeSelect
      label={label}
      value={values[name]}
      data={[{ value: '', label: any }, ...optionsOf(options)]}
      onChange={(event) => set(name, event.currentTarget.value)}
      flex="1 1 9rem"
      maw="14rem"
    />
  )
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={strings.filters}>
      {select('kind', strings.kind, strings.any, strings.kinds)}
      {select('action', strings.action, strings.any, strings.actions)}
      {select('actor', strings.actor, strings.anybody, { ...Object.fromEntries(actors), ...strings.actors })}
      {select('days', strings.since, strings.anyTime, strings.days)}
      {isNarrowed && (
        <Button variant="subtle" leftSection={<Icon name="close" size={14} />} onClick={clear}>
          {strings.clear}
        </Button>
      )}
    </Group>
  )
}
