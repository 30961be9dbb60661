import { ActionIcon, Button, Group, Input, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import type { InputProps } from '../../ui/resource-form/input-props.js'
import { fieldNameOf } from './field-name.js'
import { strings } from './strings.js'

interface Attribute {
  readonly id?: string
  readonly field_name?: string | null
  readonly field_type?: string | null
  readonly description?: string | null
  readonly _destroy?: boolean
}

const types = catalog.zobject_types.fields.zobject_attributes.of.field_type.options.map((option) => ({
  value: option,
  label: strings.types[option],
}))

/** The fields of the type, as stored. */
function useKept(): readonly Attribute[] {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { client, channel } = useSession()
  const { data } = useQuery({
    queryKey: keyOf('zobject_types', channel._id, 'record', id),
    queryFn: ({ signal }) => client.zobject_types.get(id, { signal }),
    enabled: id !== 'new',
  })
  return (data?.zobject_attributes ?? []).map(({ _id, ...attribute }) => ({ id: _id, ...attribute }))
}

/** The fields of a type of object, one per row. The form sends the changes to them. */
export function AttributesInput({ value, problem, isDisabled, onChange }: InputProps) {
  const kept = useKept()
  const changes = (Array.isArray(value) ? value : []) as readonly Attribute[]
  const added = changes.filter(({ id }) => id === undefined)
  const changeOf = (id: string | undefined) => changes.find((change) => change.id === id)
  const put = (next: Attribute) =>
    onChange([...changes.filter(({ id }) => id === undefined || id !== next.id), next])
  const putAdded = (index: number, next?: Attribute) => {
    const rest = added.flatMap((old, at) => (at === index ? (next ?? []) : old))
    onChange([...changes.filter(({ id }) => id !== undefined), ...rest])
  }
  return (
    <Stack gap="sm">
      {kept.map((attribute) => (
        <Row
          key={attribute.id}
          attribute={{ ...attribute, ...changeOf(attribute.id) }}
          isDisabled={isDisabled}
          onChange={(change) => put({ ...changeOf(attribute.id), ...change, id: attribute.id })}
          onRemove={() => put({ id: attribute.id, _destroy: true })}
          onKeep={() => onChange(changes.filter(({ id }) => id !== attribute.id))}
        />
      ))}
      {added.map((attribute, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: fields have no id before they are saved
          key={index}
          attribute={attribute}
          isDisabled={isDisabled}
          onChange={(change) => putAdded(index, { ...attribute, ...change })}
          onRemove={() => putAdded(index)}
        />
      ))}
      {!isDisabled && (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...changes, { field_name: '', field_type: 'string' }])}
          style={{ alignSelf: 'flex-start' }}
        >
          {strings.add}
        </Button>
      )}
      {problem && <Input.Error>{problem}</Input.Error>}
    </Stack>
  )
}

interface RowProps {
  readonly attribute: Attribute
  readonly isDisabled: boolean
  onChange(change: Attribute): void
  onRemove(): void
  onKeep?(): void
}

function Row({ attribute, isDisabled, onChange, onRemove, onKeep }: RowProps) {
  const { field_name, field_type, description, _destroy } = attribute
  const name = field_name ?? ''
  const [typed, setTyped] = useState<string>()
  // New rows have no id, and the index of a removed row goes to the next one.
  const label = typed !== undefined && fieldNameOf(typed) === name ? typed : name
  const isUnusable = label.trim() !== '' && name === ''
  if (_destroy)
    return (
      <Paper withBorder p="sm">
        <Group justify="space-between">
          <Text c="dimmed">
            {name} · {strings.removed}
          </Text>
          <Button size="xs" variant="default" onClick={onKeep}>
            {strings.back(name)}
          </Button>
        </Group>
      </Paper>
    )
  return (
    <Paper withBorder p="sm" role="group" aria-label={`${strings.field} ${label}`}>
      <Group align="flex-start" gap="xs">
        <TextInput
          flex="1 1 9rem"
          label={strings.name}
          description={name !== '' && name !== label.trim() ? strings.savedAs(name) : undefined}
          error={isUnusable ? strings.unusable : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={label}
          disabled={isDisabled}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            onChange({ field_name: fieldNameOf(event.currentTarget.value) })
          }}
        />
        <NativeSelect
          flex="1 1 7rem"
          label={strings.type}
          data={types}
          value={field_type ?? 'string'}
          disabled={isDisabled}
          onChange={(event) => onChange({ field_type: event.currentTarget.value })}
        />
        <TextInput
          flex="2 1 12rem"
          label={strings.description}
          value={description ?? ''}
          disabled={isDisabled}
          onChange={(event) => onChange({ description: event.currentTarget.value || null })}
        />
        {!isDisabled && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            // Aligned with the inputs, below their labels.
            mt={25}
            aria-label={strings.remove(label)}
            onClick={onRemove}
          >
            <Icon name="close" />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  )
}
