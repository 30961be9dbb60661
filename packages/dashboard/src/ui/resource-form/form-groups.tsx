import { Button, Group, Stack, Text } from '@mantine/core'
import type { Resource } from '@zoetrope/contract'
import type { Words } from '@zoetrope/contract/words/field-words'
import { type ComponentType, memo, type ReactNode } from 'react'
import { wordsFor } from '../field-words.js'
import { Section } from '../section.js'
import { strings } from '../strings.js'
import { useStable } from '../use-stable.js'
import { FieldInput } from './field-input.js'
import { FoldedGroup } from './folded-group.js'
import type { InputProps } from './input-props.js'
import classes from './resource-form.module.css'
import { useFolds } from './use-folds.js'
import type { FormState } from './use-form.js'
import { isFilled, type Values } from './values.js'

export interface FieldGroup<Name = string> {
  readonly title?: string
  readonly about?: string
  readonly fields: readonly Name[]
  /** Whether the group applies to the form's values. By default, it is always shown. */
  readonly isShown?: (values: Values) => boolean
  /** Shown below the fields: the effect of the current values, saved or not. */
  readonly outcome?: (values: Values) => ReactNode
  /** The name by which the browser remembers whether the group is open. Without it, the group does not fold. */
  readonly fold?: string
  /** Puts short fields side by side where there is room. */
  readonly isDense?: boolean
}

interface FormGroupsProps {
  readonly resource: Resource
  readonly words: Words
  readonly groups: readonly FieldGroup[]
  readonly inputs: Readonly<Record<string, ComponentType<InputProps>>>
  readonly form: FormState
  readonly isDisabled: boolean
  /** Opens all groups at first. */
  readonly isAllOpen: boolean
  onChange(name: string, value: unknown): void
}

/** The groups of a form: first those that are always open, then those that fold. */
export function FormGroups({ groups, isAllOpen, ...props }: FormGroupsProps) {
  const folds = useFolds(isAllOpen)
  const { resource, form } = props
  const names = groups.flatMap(({ fold }) => fold ?? [])
  const isOpen = names.every(folds.isOpen)
  return (
    <>
      {groups
        .filter(({ fold }) => fold === undefined)
        .map((group, index) => (
          <Section key={group.title ?? index} title={group.title} about={group.about}>
            <Fields {...props} group={group} />
          </Section>
        ))}
      {names.length > 0 && (
        <Stack gap="xs">
          <Group justify="space-between" gap="xs">
            <Text c="dimmed" size="sm">
              {strings.moreFields}
            </Text>
            <Button variant="subtle" size="compact-sm" onClick={() => folds.chooseAll(names, !isOpen)}>
              {isOpen ? strings.foldFields : strings.showFields}
            </Button>
          </Group>
          {groups.map((group) => {
            const { fold, title = '', about, fields } = group
            if (fold === undefined) return null
            return (
              <FoldedGroup
                key={fold}
                title={title}
                about={about}
                filled={fields.filter((name) => isFilled(resource.fields[name], form.values[name])).length}
                problems={fields.filter((name) => form.problems[name]).length}
                isOpen={folds.isOpen(fold)}
                onChoose={(next) => folds.choose(fold, next)}
                onProblem={() => folds.show(fold)}
              >
                <Fields {...props} group={group} />
              </FoldedGroup>
            )
          })}
        </Stack>
      )}
    </>
  )
}

interface FieldsProps extends Omit<FormGroupsProps, 'groups' | 'isAllOpen'> {
  readonly group: FieldGroup
}

function Fields({ group, resource, words, inputs, form, isDisabled, onChange }: FieldsProps) {
  const set = useStable(onChange)
  return (
    <>
      <Stack className={group.isDense ? classes.dense : undefined}>
        {group.fields.map((name) => {
          const field = resource.fields[name]
          return (
            field && (
              <OneField
                key={name}
                Input={inputs[name]}
                name={name}
                words={words}
                field={field}
                value={form.values[name]}
                // Only these depend on other fields.
                values={inputs[name] || field.kind === 'money' ? form.values : undefined}
                problem={form.problems[name]}
                isDisabled={isDisabled}
                onChange={set}
              />
            )
          )
        })}
      </Stack>
      {group.outcome?.(form.values)}
    </>
  )
}

interface OneFieldProps
  extends Pick<InputProps, 'field' | 'name' | 'value' | 'values' | 'problem' | 'isDisabled'> {
  /** By default, the input that suits the kind of the field. */
  readonly Input: ComponentType<InputProps> | undefined
  readonly words: Words
  readonly onChange: (name: string, value: unknown) => void
}

/** Redraws only when its own value or problem changes: the form of a video has more than fifty fields. */
const OneField = memo(function OneField({
  Input = FieldInput,
  name,
  words,
  onChange,
  ...rest
}: OneFieldProps) {
  return (
    <Input {...rest} {...wordsFor(words, name)} name={name} onChange={(value) => onChange(name, value)} />
  )
})
