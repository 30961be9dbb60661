import { Table, UnstyledButton } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Icon } from '../icons.js'
import { strings } from '../strings.js'
import classes from './resource-table.module.css'
import type { ListState } from './use-resource-list.js'

export interface Column<T> {
  /** The field to show, and to sort by if the definition allows it. */
  readonly field: string
  readonly label?: string
  readonly render?: (record: T) => ReactNode
  /** Whether phones show it too. They always show the first column. */
  readonly isOnPhone?: boolean
  /** By default, the width that its content needs. */
  readonly width?: string | { readonly base: string; readonly sm: string }
}

/** The class of a cell that phones hide. */
export const placeOf = <T,>({ isOnPhone }: Column<T>, index: number) =>
  index === 0 || isOnPhone ? undefined : classes.wide

interface HeadingProps<T> {
  readonly list: ListState<T>
  readonly label: string
  readonly column: Column<T>
  readonly isFirst: boolean
}

/** The heading of a column. Sorts by it if the definition allows that. */
export function Heading<T>({ list, label, column, isFirst }: HeadingProps<T>) {
  const id = useId()
  const isSorted = list.sort === column.field
  const className = placeOf(column, isFirst ? 0 : 1)
  if (!list.resource.fields[column.field]?.sort)
    return (
      <Table.Th className={className} w={column.width}>
        {label}
      </Table.Th>
    )
  const next = isSorted && list.order === 'asc' ? 'desc' : 'asc'
  return (
    <Table.Th
      className={className}
      w={column.width}
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
