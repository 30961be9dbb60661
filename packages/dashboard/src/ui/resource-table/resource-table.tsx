import { Anchor, Button, Checkbox, Group, Paper, Stack, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Words } from '@zoetrope/contract/words/field-words'
import type { ReactNode } from 'react'
import { wordsFor } from '../field-words.js'
import { Empty, Loaded, Waiting } from '../states.js'
import { strings } from '../strings.js'
import { Cell } from './cell.js'
import { Filters } from './filters.js'
import { type Column, Heading, placeOf } from './heading.js'
import { nothingFound } from './nothing-found.js'
import { Pager } from './pager.js'
import classes from './resource-table.module.css'
import { RowCheck } from './row-check.js'
import { SearchBox } from './search-box.js'
import type { ListState } from './use-resource-list.js'
import { idsBetween, type Selection } from './use-selection.js'

export interface Row {
  readonly _id: string
}

interface ResourceTableProps<T extends Row> {
  readonly list: ListState<T>
  /** The texts of the fields, for columns and filters. */
  readonly words: Words
  readonly columns: readonly (string | Column<T>)[]
  /** The accessible name of a row. By default, the value of its first column. */
  readonly nameOf?: (record: T) => string
  /** The link of the first column. */
  readonly to?: (record: T) => string
  readonly filters?: readonly string[]
  /** Controls beside the search. */
  readonly controls?: ReactNode
  readonly rowActions?: (record: T) => ReactNode
  readonly selection?: Selection
  /** Shown if the list is empty without filters. */
  readonly empty: ReactNode
}

const isSearched = (fields: ListState<unknown>['resource']['fields']) =>
  Object.values(fields).some(({ search }) => search)

/** A list with its search, filters, order and pages, made from a resource's definition. */
export function ResourceTable<T extends Row>(props: ResourceTableProps<T>) {
  const { list, words, filters = [], controls, empty } = props
  return (
    <Stack>
      <Group gap="xs">
        {isSearched(list.resource.fields) && <SearchBox list={list} />}
        <Filters list={list} words={words} fields={filters} />
        {controls}
      </Group>
      <Loaded query={list.query} waiting={<Waiting rows={8} />}>
        {({ response }) =>
          response.length === 0 ? (
            <NothingHere list={list} empty={empty} />
          ) : (
            <Paper withBorder className={classes.frame}>
              <Rows {...props} records={response} />
            </Paper>
          )
        }
      </Loaded>
      <Pager list={list} />
    </Stack>
  )
}

interface NothingProps<T> {
  readonly list: ListState<T>
  readonly empty: ReactNode
}

/** Shown if the list is empty, with or without filters. */
export function NothingHere<T>({ list, empty }: NothingProps<T>) {
  if (!list.isNarrowed) return empty
  const { about, clear } = nothingFound(list.asked)
  return (
    <Empty icon="search" title={strings.nothingFound} about={about}>
      <Button variant="default" onClick={list.clear}>
        {clear}
      </Button>
    </Empty>
  )
}

function Rows<T extends Row>({
  list,
  words,
  columns,
  records,
  nameOf,
  to,
  rowActions,
  selection,
}: ResourceTableProps<T> & { readonly records: readonly T[] }) {
  const whole = columns.map((column): Column<T> => (typeof column === 'string' ? { field: column } : column))
  const first = whole[0]?.field ?? '_id'
  const named = nameOf ?? ((record: T) => String((record as Record<string, unknown>)[first] ?? record._id))
  const ids = records.map(({ _id }) => _id)
  const chosen = ids.filter((id) => selection?.ids.has(id)).length
  const between = (from: string, to: string) => idsBetween(ids, from, to)
  return (
    <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md" aria-busy={list.query.isFetching}>
      <Table.Thead>
        <Table.Tr>
          {selection && (
            <Table.Th w={44}>
              <Checkbox
                aria-label={strings.selectAll}
                checked={chosen === ids.length}
                indeterminate={chosen > 0 && chosen < ids.length}
                onChange={(event) => selection.toggleAll(ids, event.currentTarget.checked)}
              />
            </Table.Th>
          )}
          {whole.map((column, index) => (
            <Heading
              key={column.field}
              list={list}
              label={column.label ?? wordsFor(words, column.field).label}
              column={column}
              isFirst={index === 0}
            />
          ))}
          {rowActions && <Table.Th w={1} aria-label={strings.actions} />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map((record) => (
          <Table.Tr key={record._id}>
            {selection && (
              <Table.Td>
                <RowCheck
                  label={strings.select(named(record))}
                  isSelected={selection.ids.has(record._id)}
                  onToggle={(isSelected, isRange) =>
                    selection.toggle(record._id, isSelected, isRange ? between : undefined)
                  }
                />
              </Table.Td>
            )}
            {whole.map((column, index) => (
              <Table.Td key={column.field} className={placeOf(column, index)}>
                <RowCell
                  list={list}
                  words={words}
                  column={column}
                  record={record}
                  to={index === 0 ? to?.(record) : undefined}
                />
              </Table.Td>
            ))}
            {rowActions && <Table.Td>{rowActions(record)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface RowCellProps<T> {
  readonly list: ListState<T>
  readonly words: Words
  readonly column: Column<T>
  readonly record: T
  readonly to: string | undefined
}

function RowCell<T>({ list, words, column, record, to }: RowCellProps<T>) {
  const value = (record as Readonly<Record<string, unknown>>)[column.field]
  const shown = column.render?.(record) ?? (
    <Cell field={list.resource.fields[column.field]} options={words[column.field]?.options} value={value} />
  )
  if (!to) return shown
  return (
    <Anchor component={Link} to={to} c="inherit" fw={500} display="block">
      {shown}
    </Anchor>
  )
}
