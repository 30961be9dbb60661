import { Button, Fieldset, Group, MultiSelect, NativeSelect, Stack, TagsInput, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { videoWords } from '@zoetrope/contract/words/videos'
import type { ComponentType } from 'react'
import { useCategories } from '../../../data/categories.js'
import { wordsFor } from '../../../ui/field-words.js'
import { FieldInput } from '../../../ui/resource-form/field-input.js'
import type { InputProps } from '../../../ui/resource-form/input-props.js'
import { problemOf } from '../../../ui/resource-form/problems.js'
import { referenceTo } from '../../../ui/resource-form/reference-input.js'
import { startingValue } from '../../../ui/resource-form/values.js'
import { filterLabel } from '../filter-words.js'
import { type CategoryEdit, type Edit, editable, fieldOf, type Way, waysOf } from './edits.js'
import { strings } from './strings.js'

const inputs: Readonly<Record<string, ComponentType<InputProps>>> = {
  content_rule_profile_id: referenceTo('content_rule_profiles'),
}

interface FieldsStepProps {
  readonly edits: readonly Edit[]
  onChange(edits: readonly Edit[]): void
  onNext(): void
}

const startOf = (field: string): Edit => ({
  field,
  way: waysOf(field)[0] ?? 'set',
  value: field === 'categories' ? { category_id: '', title: '', values: [] } : startingValue(fieldOf(field)),
})

function isReady({ field, way, value }: Edit): boolean {
  if (field === 'categories') return (value as CategoryEdit).values.length > 0
  if (way !== 'set') return Object.keys(value as object).length > 0
  return problemOf(fieldOf(field), value, true) === undefined
}

/** Chooses the fields and their new values. */
export function FieldsStep({ edits, onChange, onNext }: FieldsStepProps) {
  const [isOpen, { open, close }] = useDisclosure()
  const choose = (names: readonly string[]) =>
    onChange(names.map((name) => edits.find(({ field }) => field === name) ?? startOf(name)))
  const put = (next: Edit) => onChange(edits.map((each) => (each.field === next.field ? next : each)))
  return (
    <Stack>
      <MultiSelect
        label={strings.choose}
        description={strings.chooseAbout}
        data={editable
          .map((value) => ({ value, label: filterLabel(value) }))
          .sort((a, b) => a.label.localeCompare(b.label))}
        value={edits.map(({ field }) => field)}
        onChange={choose}
        searchable
        // The list would cover the inputs of the chosen field, and the buttons.
        dropdownOpened={isOpen}
        onDropdownOpen={open}
        onDropdownClose={close}
        onOptionSubmit={close}
        openOnFocus={false}
        data-autofocus
      />
      {edits.map((edit) => (
        <Fieldset key={edit.field} legend={filterLabel(edit.field)}>
          <Stack gap="sm">
            {waysOf(edit.field).length > 1 && (
              <NativeSelect
                aria-label={strings.way(filterLabel(edit.field))}
                data={waysOf(edit.field).map((value) => ({ value, label: strings.ways[value] }))}
                value={edit.way}
                onChange={(event) => put({ ...edit, way: event.currentTarget.value as Way })}
              />
            )}
            <EditInput edit={edit} onChange={(value) => put({ ...edit, value })} />
          </Stack>
        </Fieldset>
      ))}
      <Group justify="flex-end">
        <Button disabled={edits.length === 0 || !edits.every(isReady)} onClick={onNext}>
          {strings.preview}
        </Button>
      </Group>
    </Stack>
  )
}

interface EditInputProps {
  readonly edit: Edit
  onChange(value: unknown): void
}

function EditInput({ edit, onChange }: EditInputProps) {
  if (edit.field === 'categories')
    return <CategoryInput value={edit.value as CategoryEdit} onChange={onChange} />
  const Input = inputs[edit.field] ?? FieldInput
  const field = fieldOf(edit.field)
  return (
    <Input
      name={edit.field}
      {...wordsFor(videoWords, edit.field)}
      field={field}
      value={edit.value}
      problem={problemOf(field, edit.value, true)}
      isDisabled={false}
      onChange={onChange}
    />
  )
}

interface CategoryInputProps {
  readonly value: CategoryEdit
  onChange(value: CategoryEdit): void
}

function CategoryInput({ value, onChange }: CategoryInputProps) {
  const categories = useCategories()
  const known = categories.data?.response ?? []
  const values = known.find(({ _id }) => _id === value.category_id)?.values ?? []
  if (categories.data && known.length === 0) return <Text c="dimmed">{strings.noCategories}</Text>
  return (
    <Group grow preventGrowOverflow={false} align="flex-start">
      <NativeSelect
        label={strings.category}
        data={[{ value: '', label: '' }, ...known.map(({ _id, title }) => ({ value: _id, label: title }))]}
        value={value.category_id}
        onChange={({ currentTarget }) => {
          const title = known.find(({ _id }) => _id === currentTarget.value)?.title ?? ''
          onChange({ category_id: currentTarget.value, title, values: [] })
        }}
      />
      <TagsInput
        label={strings.values}
        data={[...new Set(values)]}
        value={[...value.values]}
        disabled={value.category_id === ''}
        onChange={(next) => onChange({ ...value, values: next.filter((each) => values.includes(each)) })}
      />
    </Group>
  )
}
