import { Badge, Code, Text } from '@mantine/core'
import type { Field } from '@zoetrope/contract'
import type { ReactNode } from 'react'
import { Ago } from '../ago.js'
import { labelOf } from '../labels.js'
import { whole } from '../numbers.js'
import { strings } from '../strings.js'

type Show = (value: unknown) => ReactNode

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
  choice: (value) => (
    <Badge variant="default" tt="none" fw={500}>
      {labelOf(String(value))}
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

/** Shows the value of a field according to its kind. */
export function Cell({ field, value }: { readonly field: Field | undefined; readonly value: unknown }) {
  if (value === null || value === undefined || value === '') return <Text c="dimmed">{strings.none}</Text>
  return ((field && shows[field.kind]) ?? plain)(value)
}
