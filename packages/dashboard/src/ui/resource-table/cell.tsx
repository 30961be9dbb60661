import { Badge, Code, Text } from '@mantine/core'
import type { Field } from '@zoetrope/contract'
import type { FieldWords } from '@zoetrope/contract/words/field-words'
import type { ReactNode } from 'react'
import { Ago } from '../ago.js'
import { labelOf } from '../labels.js'
import { whole } from '../numbers.js'
import { strings } from '../strings.js'

type Options = FieldWords['options']
type Show = (value: unknown, options?: Options) => ReactNode

const plain: Show = (value) => (
  <Text size="sm" lineClamp={2}>
    {String(value)}
  </Text>
)
const counted: Show = (value) => whole(Number(value))
const code: Show = (value) => <Code>{String(value)}</Code>

const shows: { readonly [K in Field['kind']]?: Show } = {
  flag: (value) => (
    <Badge variant="default" color="gray" tt="none" fw={500}>
      {value ? strings.yes : strings.no}
    </Badge>
  ),
  timestamp: (value) => (
    <Text size="sm">
      <Ago at={String(value)} />
    </Text>
  ),
  choice: (value, options) => (
    <Badge variant="default" tt="none" fw={500}>
      {options?.[String(value)] ?? labelOf(String(value))}
    </Badge>
  ),
  integer: counted,
  number: counted,
  id: code,
  secret: code,
  list: (value) => plain((value as readonly unknown[]).join(', ')),
  objects: (value) => whole((value as readonly unknown[]).length),
  map: (value) => whole(Object.keys(value as object).length),
}

interface CellProps {
  readonly field: Field | undefined
  /** The names of the options of a choice. */
  readonly options?: Options
  readonly value: unknown
}

/** Shows the value of a field according to its kind. */
export function Cell({ field, options, value }: CellProps) {
  if (value === null || value === undefined || value === '') return <Text c="dimmed">{strings.none}</Text>
  return ((field && shows[field.kind]) ?? plain)(value, options)
}
