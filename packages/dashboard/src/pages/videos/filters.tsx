import { Button, Drawer, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { filtersByName } from '@zoetrope/contract'
import { lazy, Suspense } from 'react'
import type { Video } from '../../data/records.js'
import { Icon } from '../../ui/icons.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import { Waiting } from '../../ui/states.js'
import { useEscape } from '../../ui/use-escape.js'
import { inWords } from './filter-words.js'
import { strings } from './strings.js'

const FilterPanel = lazy(async () => ({ default: (await import('./filter-panel.js')).FilterPanel }))

interface FiltersProps {
  readonly list: ListState<Video>
}

const setFilters = ({ asked, resource }: ListState<Video>) =>
  Object.entries(asked).filter(([name]) => filtersByName(resource).has(name))

/** Opens the panel of all filters. */
export function FilterButton({ list }: FiltersProps) {
  const [isOpen, { open, close }] = useDisclosure()
  useEscape(isOpen, close)
  const count = setFilters(list).length
  return (
    <>
      <Button variant="default" leftSection={<Icon name="filter" size={16} />} onClick={open}>
        {count === 0 ? strings.filters : strings.filtersSet(count)}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        closeOnEscape={false}
        position="right"
        title={strings.filters}
        closeButtonProps={{ 'aria-label': strings.close }}
      >
        <Suspense fallback={<Waiting />}>
          <FilterPanel list={list} onDone={close} />
        </Suspense>
      </Drawer>
    </>
  )
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ list }: FiltersProps) {
  const set = setFilters(list)
  if (set.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label={strings.filters}>
      {set.map(([name, value]) => (
        <Button
          key={name}
          size="compact-sm"
          variant="default"
          rightSection={<Icon name="close" size={12} />}
          aria-label={strings.dropFilter(inWords(name, value))}
          onClick={() => list.ask({ [name]: undefined })}
        >
          {inWords(name, value)}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={list.clear}>
        {strings.clearFilters}
      </Button>
    </Group>
  )
}
