import { Anchor, Button, Checkbox, Group, Paper, Stack, Table, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { Icon } from '../icons.js'
import { labelOf } from '../labels.js'
import { Empty, Loaded, Waiting } from '../states.js'
import { strings } from '../strings.js'
import { Cell } from './cell.js'
import { Filters } from './filters.js'
import { Pager } from './pager.js'
import classes from './resource-table.module.css'
import { SearchBox } from './search-box.js'
import type { ListState } from './use-resource-list.js'
import type { Selection } from './use-selection.js'

export interface Row {
  readonly _id: string
}

export interface Column<T> {
  /** The field it shows, and is sorted by if the definition allows it. */
  readonly field: string
  readonly label?: string
  readonly render?: (record: T) => ReactNode
  /** Shown on a phone too; the first column always is. */
  readonly isOnPhone?: boolean
}

interface ResourceTableProps<T extends Row> {
  readonly list: ListState<T>
  readonly columns: readonly (string | Column<T>)[]
  /** What a row is called, for those who hear it; the value of its first column unless said. */
  readonly nameOf?: (record: T) => string
  /** Where the first column leads. */
  readonly to?: (record: T) => string
  readonly filters?: readonly string[]
  /** Controls beside the search. */
  readonly controls?: ReactNode
  readonly rowActions?: (record: T) => ReactNode
  readonly selection?: Selection
  /** What is shown when there is nothing at all. */
  readonly empty: ReactNode
}

const isSearched = (fields: ListState<unknown>['resource']['fields']) =>
  Object.values(fields).some(({ search }) => search)

/** A list with its search, filters, order and pages, made from a resource's definition. */
export function ResourceTable<T extends Row>(props: ResourceTableProps<T>) {
  const { list, filters = [], controls, empty } = props
  return (
    <Stack>
      <Group gap="xs">
        {isSearched(list.resource.fields) && <SearchBox list={list} />}
        <Filters list={list} fields={filters} />
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

/** Nothing was found, or nothing is there at all. */
export function NothingHere<T>({ list, empty }: NothingProps<T>) {
  if (!list.isNarrowed) return empty
  return (
    <Empty icon="search" title={strings.nothingFound} about={strings.nothingFoundAbout}>
      <Button variant="default" onClick={list.clear}>
        {strings.clearFilters}
      </Button>
    </Empty>
  )
}

function Rows<T extends Row>({
  list,
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
            <Heading key={column.field} list={list} column={column} isFirst={index === 0} />
          ))}
          {rowActions && <Table.Th w={1} aria-label={strings.actions} />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map((record) => (
          <Table.Tr key={record._id}>
            {selection && (
              <Table.Td>
                <Checkbox
                  aria-label={strings.select(named(record))}
                  checked={selection.ids.has(record._id)}
                  onChange={(event) => selection.toggle(record._id, event.currentTarget.checked)}
                />
              </Table.Td>
            )}
            {whole.map((column, index) => (
              <Table.Td key={column.field} className={placeOf(column, index)}>
                <RowCell
                  list={list}
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

const placeOf = <T,>({ isOnPhone }: Column<T>, index: number) =>
  index === 0 || isOnPhone ? undefined : classes.wide

interface HeadingProps<T> {
  readonly list: ListState<T>
  readonly column: Column<T>
  readonly isFirst: boolean
}

function Heading<T>({ list, column, isFirst }: HeadingProps<T>) {
  const id = useId()
  const label = column.label ?? labelOf(column.field)
  const isSorted = list.sort === column.field
  const className = placeOf(column, isFirst ? 0 : 1)
  if (!list.resource.fields[column.field]?.sort) return <Table.Th className={className}>{label}</Table.Th>
  const next = isSorted && list.order === 'asc' ? 'desc' : 'asc'
  return (
    <Table.Th
      className={className}
      aria-sort={isSorted ? (list.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <UnstyledButton
        id={id}
        className={classes.sort}
        title={strings.sortBy(label)}
        onClick={() => list.ask({ sort: column.field, order: next })}
      >
        {label}
        {isSorted && <Icon name={list.order === 'asc' ? 'up' : 'down'} size={14} />}
      </UnstyledButton>
    </Table.Th>
  )
}

interface RowCellProps<T> {
  readonly list: ListState<T>
  readonly column: Column<T>
  readonly record: T
  readonly to: string | undefined
}

function RowCell<T>({ list, column, record, to }: RowCellProps<T>) {
  const value = (record as Readonly<Record<string, unknown>>)[column.field]
  const shown = column.render?.(record) ?? <Cell field={list.resource.fields[column.field]} value={value} />
  if (!to) return shown
  return (
    <Anchor component={Link} to={to} c="inherit" fw={500} display="block">
      {shown}
    </Anchor>
  )
}
