import { ActionIcon, Button, Fieldset, Group, Input, Paper, Stack, TextInput } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { wordsFor } from '../field-words.js'
import { Icon } from '../icons.js'
import { strings } from '../strings.js'
import type { FieldOf, InputProps } from './input-props.js'
import { startingValue } from './values.js'

type Entry = readonly [key: string, value: unknown]

const shownAs = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Parses the text as JSON if the value was not a text before. */
function readAs(before: unknown, text: string): unknown {
  if (typeof before === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** If two rows have the same name, the first one counts. Typing `colours` passes through `colour`, which may exist. */
const counts = (rows: readonly Entry[], index: number) =>
  rows.findIndex(([key]) => key === rows[index]?.[0]) === index

const mapOf = (rows: readonly Entry[]) => Object.fromEntries(rows.filter((_, index) => counts(rows, index)))

/** Edits pairs of names and values, one per row. */
export function MapField({ label, help, value, problem, isDisabled, onChange }: InputProps<FieldOf<'map'>>) {
  const [rows, setRows] = useState<readonly Entry[]>([])
  const isTyped = JSON.stringify(mapOf(rows)) === JSON.stringify(value ?? {})
  const entries: readonly Entry[] = isTyped ? rows : Object.entries((value ?? {}) as object)
  const put = (next: readonly Entry[]) => {
    setRows(next)
    onChange(mapOf(next))
  }
  const replace = (index: number, entry: Entry) => put(entries.map((old, at) => (at === index ? entry : old)))
  return (
    <Fieldset legend={label} disabled={isDisabled}>
      {help && <Input.Description mb="xs">{help}</Input.Description>}
      <Stack gap="xs">
        {entries.map(([key, item], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name itself is being typed
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={`${label}: ${strings.name}`}
              value={key}
              error={!counts(entries, index) && strings.taken}
              onChange={(event) => replace(index, [event.currentTarget.value, item])}
            />
            <TextInput
              flex={2}
              aria-label={`${label}: ${strings.value}`}
              value={shownAs(item)}
              onChange={(event) => replace(index, [key, readAs(item, event.currentTarget.value)])}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${strings.remove} ${key}`}
              onClick={() => put(entries.filter((_, at) => at !== index))}
            >
              <Icon name="close" />
            </ActionIcon>
          </Group>
        ))}
        <AddButton onClick={() => put([...entries, ['', '']])} isOff={entries.some(([key]) => key === '')} />
        {problem && <Input.Error>{problem}</Input.Error>}
      </Stack>
    </Fieldset>
  )
}

const AddButton = ({
  onClick,
  isOff = false,
}: {
  readonly onClick: () => void
  readonly isOff?: boolean
}) => (
  <Button
    variant="default"
    size="xs"
    leftSection={<Icon name="plus" size={14} />}
    onClick={onClick}
    disabled={isOff}
    style={{ alignSelf: 'flex-start' }}
  >
    {strings.add}
  </Button>
)

type Row = Readonly<Record<string, unknown>>

interface ObjectsProps extends InputProps<FieldOf<'objects'>> {
  /** The input for one field of an object. */
  readonly Inner: ComponentType<InputProps>
}

/** Edits small objects, one per box. */
export function ObjectsField(props: ObjectsProps) {
  const { label, help, inner: words = {}, field, value, problem, isDisabled, onChange, Inner } = props
  const rows = (Array.isArray(value) ? value : []) as readonly Row[]
  const inner = Object.entries(field.of).filter(([, { computed }]) => !computed)
  const empty = Object.fromEntries(inner.map(([name, of]) => [name, startingValue(of)]))
  return (
    <Fieldset legend={label} disabled={isDisabled}>
      {help && <Input.Description mb="xs">{help}</Input.Description>}
      <Stack gap="sm">
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id before they are saved
          <Paper key={index} withBorder p="sm">
            <Stack gap="xs">
              {inner.map(([name, of]) => (
                <Inner
                  key={name}
                  name={`${name}-${index}`}
                  {...wordsFor(words, name)}
                  field={of}
                  value={row[name]}
                  problem={undefined}
                  isDisabled={isDisabled}
                  onChange={(next) =>
                    onChange(rows.map((old, at) => (at === index ? { ...old, [name]: next } : old)))
                  }
                />
              ))}
              <Button
                variant="subtle"
                color="red"
                size="xs"
                onClick={() => onChange(rows.filter((_, at) => at !== index))}
                style={{ alignSelf: 'flex-end' }}
              >
                {strings.remove}
              </Button>
            </Stack>
          </Paper>
        ))}
        <AddButton onClick={() => onChange([...rows, empty])} />
        {problem && <Input.Error>{problem}</Input.Error>}
      </Stack>
    </Fieldset>
  )
}
