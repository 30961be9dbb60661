import {
  ActionIcon,
  Anchor,
  Fieldset,
  Group,
  Input,
  MultiSelect,
  Paper,
  Select,
  Stack,
  Text,
} from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCategories } from '../../data/categories.js'
import type { Entry } from '../../data/records.js'
import { Icon } from '../../ui/icons.js'
import type { InputProps } from '../../ui/resource-form/input-props.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { type Rule, rulesIn } from './rules.js'
import { strings } from './strings.js'

type Category = Entry<'categories'>

/** The rules of a rule-based playlist. Each names a category, with values to include and to exclude. */
export function RulesInput({ label, value, problem, isDisabled, onChange }: InputProps) {
  const categories = useCategories()
  const rules = rulesIn(value)
  const replace = (index: number, next?: Rule) =>
    onChange(rules.flatMap((old, at) => (at === index ? (next ?? []) : old)))
  return (
    <Fieldset legend={label} disabled={isDisabled}>
      <Loaded query={categories} waiting={<Waiting rows={2} />}>
        {({ response }) => (
          <Stack gap="sm">
            {rules.map((rule, index) => (
              <RuleRow
                // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and may name a category twice
                key={`${rule.category_id} ${index}`}
                rule={rule}
                category={response.find(({ _id }) => _id === rule.category_id)}
                isDisabled={isDisabled}
                onChange={(change) => replace(index, { ...rule, ...change })}
                onRemove={() => replace(index)}
              />
            ))}
            {!isDisabled && (
              <AddRule
                categories={response.filter(({ _id }) =>
                  rules.every(({ category_id }) => category_id !== _id),
                )}
                onAdd={({ _id, title }) =>
                  onChange([...rules, { category_id: _id, title, value: [], exclude_values: [] }])
                }
              />
            )}
            {response.length === 0 && (
              <Text size="sm" c="dimmed">
                {strings.noCategories}{' '}
                {!isDisabled && (
                  <Anchor component={Link} to="/categories/new">
                    {strings.makeCategory}
                  </Anchor>
                )}
              </Text>
            )}
            {problem && <Input.Error>{problem}</Input.Error>}
          </Stack>
        )}
      </Loaded>
    </Fieldset>
  )
}

interface RuleRowProps {
  readonly rule: Rule
  /** Undefined if the category was deleted. */
  readonly category: Category | undefined
  readonly isDisabled: boolean
  onChange(change: Partial<Rule>): void
  onRemove(): void
}

function RuleRow({ rule, category, isDisabled, onChange, onRemove }: RuleRowProps) {
  const { title, value, exclude_values } = rule
  const values = [...new Set([...(category?.values ?? []), ...value, ...exclude_values])]
  const shared = { data: values, searchable: true, clearable: true, disabled: isDisabled, flex: '1 1 14rem' }
  return (
    <Paper withBorder p="sm" role="group" aria-label={title}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} truncate>
          {title}
        </Text>
        {!isDisabled && (
          <ActionIcon variant="subtle" color="gray" aria-label={strings.removeRule(title)} onClick={onRemove}>
            <Icon name="close" />
          </ActionIcon>
        )}
      </Group>
      <Group align="flex-start">
        <MultiSelect
          {...shared}
          label={strings.has}
          placeholder={value.length === 0 ? strings.anyValue : undefined}
          value={[...value]}
          onChange={(next) => onChange({ value: next })}
        />
        <MultiSelect
          {...shared}
          label={strings.hasNot}
          value={[...exclude_values]}
          onChange={(next) => onChange({ exclude_values: next })}
        />
      </Group>
    </Paper>
  )
}

interface AddRuleProps {
  readonly categories: readonly Category[]
  onAdd(category: Category): void
}

function AddRule({ categories, onAdd }: AddRuleProps) {
  const [search, setSearch] = useState('')
  return (
    <Select
      aria-label={strings.addRule}
      placeholder={strings.addRule}
      data={categories.map(({ _id, title }) => ({ value: _id, label: title }))}
      value={null}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={strings.noCategory}
      disabled={categories.length === 0}
      onChange={(id) => {
        const category = categories.find(({ _id }) => _id === id)
        if (category) onAdd(category)
        setSearch('')
      }}
    />
  )
}
