import { Anchor, Fieldset, Input, MultiSelect, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCategories } from '../../data/categories.js'
import type { Entry, Video } from '../../data/records.js'
import type { InputProps } from '../../ui/resource-form/input-props.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { strings } from './strings.js'

type Category = Entry<'categories'>
type Entries = Video['categories']

interface Change {
  readonly id?: string
  readonly category_id?: string
  readonly value?: readonly string[]
  readonly _destroy?: boolean
}

const sameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((each) => b.includes(each))

/** The selected values of a category: the unsaved change if there is one, otherwise the video's values. */
function chosen(entries: Entries, changes: readonly Change[], { _id }: Category): readonly string[] {
  const entry = entries.find(({ category_id }) => category_id === _id)
  const change = changes.find((each) => (entry && each.id === entry._id) || each.category_id === _id)
  return change ? (change._destroy ? [] : (change.value ?? [])) : (entry?.value ?? [])
}

/** The changes, with the new selection of one category. A selection equal to the saved one is no change. */
function withChoice(
  entries: Entries,
  changes: readonly Change[],
  { _id }: Category,
  value: readonly string[],
): readonly Change[] {
  const entry = entries.find(({ category_id }) => category_id === _id)
  const others = changes.filter((each) => each.category_id !== _id && (!entry || each.id !== entry._id))
  if (sameSet(value, entry?.value ?? [])) return others
  if (!entry) return [...others, { category_id: _id, value }]
  return [...others, value.length === 0 ? { id: entry._id, _destroy: true } : { id: entry._id, value }]
}

/** The values that a video has in each category of its channel. */
export const categoriesOf = (entries: Entries) =>
  function Categories({ value, problem, isDisabled, onChange }: InputProps) {
    const categories = useCategories()
    const changes = (Array.isArray(value) ? value : []) as readonly Change[]
    return (
      <Fieldset legend={strings.categories.title} disabled={isDisabled}>
        <Loaded query={categories} waiting={<Waiting rows={2} />}>
          {({ response }) => (
            <Stack gap="sm">
              {response.length === 0 && (
                <Text size="sm" c="dimmed">
                  {strings.categories.none}{' '}
                  {!isDisabled && (
                    <Anchor component={Link} to="/categories">
                      {strings.categories.make}
                    </Anchor>
                  )}
                </Text>
              )}
              {response.map((category) => (
                <MultiSelect
                  key={category._id}
                  label={category.title}
                  data={[...new Set(category.values)]}
                  value={[...chosen(entries, changes, category)]}
                  onChange={(next) => onChange(withChoice(entries, changes, category, next))}
                  searchable
                  clearable
                  disabled={isDisabled}
                />
              ))}
              {problem && <Input.Error>{problem}</Input.Error>}
            </Stack>
          )}
        </Loaded>
      </Fieldset>
    )
  }
