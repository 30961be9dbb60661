import { Alert, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import type { Resource } from '@zoetrope/contract'
import type { Words } from '@zoetrope/contract/words/field-words'
import type { CallOptions } from '@zoetrope/sdk'
import { type ComponentType, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { GivenUp } from '../../data/given-up.js'
import { useSafeSave } from '../conflict/use-safe-save.js'
import { withLabels, wordsFor } from '../field-words.js'
import { sayDone } from '../notices.js'
import { explain } from '../states.js'
import { strings } from '../strings.js'
import { type FieldGroup, FormGroups } from './form-groups.js'
import type { InputProps } from './input-props.js'
import { SaveBar } from './save-bar.js'
import { UnsavedGuard } from './unsaved-guard.js'
import { useForm } from './use-form.js'
import type { Values } from './values.js'

/** The record to edit, and how to read it again before it is saved. Without one, the form creates a new record. */
type Edited =
  | { readonly record: object | undefined; readonly read: (options: CallOptions) => Promise<object> }
  | { readonly record?: undefined; readonly read?: undefined }

type ResourceFormProps<T, W extends Words> = CommonProps<T, W> & Edited

interface CommonProps<T, W extends Words> {
  readonly resource: Resource
  /** The labels and help of the fields. */
  readonly words: W
  /** The initial values of a new record. */
  readonly starting?: Values
  /** The fields and their order. By default, all writable fields that have texts. */
  readonly groups?: readonly FieldGroup<keyof W & string>[]
  /** Custom inputs by field name. */
  readonly inputs?: Readonly<Record<string, ComponentType<InputProps>>>
  /**
   * Returns other fields that change along with a field while the user types. Receives the field's name, its new
   * value and the form's values before.
   */
  readonly follow?: (name: string, value: unknown, before: Values) => Values
  /**
   * Saves the changed fields. It passes the options on to the API: they keep others from being overwritten and the record
   * from being made twice, and the success is reported with an undo.
   */
  readonly save: (changes: Values, options: CallOptions) => Promise<T>
  readonly onSaved?: (saved: T) => void
  /** Shown above the fields: the effect of the current values, saved or not. */
  readonly preview?: (values: Values) => ReactNode
  readonly isDisabled?: boolean
  /** Opens all groups that fold. */
  readonly isAllOpen?: boolean
  readonly saveLabel?: string
  onCancel?(): void
}

/** A form made from a resource's definition and its texts: fields, labels, help and limits. */
export function ResourceForm<T, W extends Words>(props: ResourceFormProps<T, W>) {
  const { resource, words, record, inputs = {}, onSaved, isDisabled = false, onCancel } = props
  const form = useForm(resource, words, record as Values | undefined, props.starting)
  const groups = groupsIn(props, form.values)
  const element = useRef<HTMLFormElement>(null)
  const [saved, setSaved] = useState<{ readonly value: T }>()
  useEffect(() => {
    // Runs after the guard has seen that nothing is unsaved, so that leaving the page does not ask.
    if (!saved) return
    setSaved(undefined)
    onSaved?.(saved.value)
  }, [saved, onSaved])
  const safe = useSafeSave(() => submit())
  const saving = useMutation({
    mutationFn: async () => {
      const { changes, base } = form
      const { read, save: write } = props
      if (!record || !read) return safe.create(changes, write)
      const edit = { resource, words, changes, base, read, write }
      return (await safe.updateUndoably(edit, (now) => strings.saved(nameIn(now) ?? nameIn(record)))).record
    },
    onSuccess: (saved) => {
      safe.note()
      form.reset()
      if (!record) sayDone(strings.saved(nameIn(saved)))
      setSaved({ value: saved })
    },
    onError: (error) => {
      safe.note(error)
      form.takeError(error)
    },
  })
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    // Nothing to save. The shortcut may be meant for another form on the page.
    if (saving.isPending || (record && !form.isDirty)) return
    if (form.check()) saving.mutate()
    // Waits until the problems are rendered.
    else setTimeout(() => showProblem(element.current))
  }
  const drop = () => {
    form.reset()
    saving.reset()
    safe.note()
  }
  useHotkeys([['mod+S', () => submit()]], [])
  const set = (name: string, value: unknown) => {
    const along = { [name]: value, ...props.follow?.(name, value, form.values) }
    for (const [field, next] of Object.entries(along)) form.set(field, next)
  }
  const isNew = record === undefined
  const shown = groups.flatMap(({ fields }) => fields)
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Stack gap="lg">
        {props.preview?.(form.values)}
        <FormGroups
          resource={resource}
          words={words}
          groups={groups}
          inputs={inputs}
          form={form}
          isDisabled={isDisabled}
          isAllOpen={props.isAllOpen ?? false}
          onChange={set}
        />
        {safe.notice ?? (
          <NotSaved error={saving.error} problems={form.problems} shown={shown} words={words} />
        )}
        {!isDisabled && (isNew || form.isDirty) && (
          <SaveBar
            isSaving={saving.isPending}
            saveLabel={props.saveLabel}
            isNew={isNew}
            onDrop={isNew ? onCancel : drop}
          />
        )}
      </Stack>
      <UnsavedGuard isDirty={form.isDirty} />
      {safe.dialog}
    </form>
  )
}

/** The name by which people know a record, if it has one. */
function nameIn(record: unknown): string | undefined {
  const { title, name, email } = (record ?? {}) as Readonly<Record<string, unknown>>
  return [title, name, email].find((each): each is string => typeof each === 'string' && each !== '')
}

/** Moves the focus to the first field with a problem, or else to the error message. */
function showProblem(form: HTMLFormElement | null | undefined): void {
  const find = (selector: string) => form?.querySelector<HTMLElement>(selector)
  const found = find('[aria-invalid=true]') ?? find('[role=alert]')
  const group = found?.closest('details')
  if (group) group.open = true
  found?.focus({ preventScroll: true })
  found?.scrollIntoView({ block: 'center' })
}

const groupsIn = <T, W extends Words>(
  { groups, resource, words }: ResourceFormProps<T, W>,
  values: Values,
): readonly FieldGroup[] =>
  groups?.filter(({ isShown }) => isShown?.(values) ?? true) ?? [{ fields: allFields(resource, words) }]

const allFields = ({ fields }: Resource, words: Words): string[] =>
  Object.keys(words).filter((name) => fields[name] && !fields[name].computed)

interface NotSavedProps {
  readonly error: unknown
  readonly problems: Readonly<Record<string, string | undefined>>
  readonly shown: readonly string[]
  readonly words: Words
}

/** The server's error message, and problems of fields that the form does not show. A cancelled confirmation is no error. */
const NotSaved = (props: NotSavedProps) =>
  props.error !== null && !(props.error instanceof GivenUp) && <Problems {...props} />

function Problems({ error, problems, shown, words }: NotSavedProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => showProblem(element.current?.closest('form')), [])
  const said = withLabels(explain(error).about, words)
  const isBeside = shown.some((name) => problems[name] && said.includes(problems[name]))
  // What stands beside its field is not said twice.
  const about = isBeside ? strings.seeFields : said
  const elsewhere = Object.entries(problems).filter(
    ([name, problem]) => problem && !shown.includes(name) && !about.includes(problem),
  )
  return (
    <Alert ref={element} color="red" variant="light" title={strings.notSaved} role="alert" tabIndex={-1}>
      <Text size="sm">{about}</Text>
      {elsewhere.map(([name, problem]) => (
        <Text key={name} size="sm">
          {wordsFor(words, name).label}: {problem}
        </Text>
      ))}
    </Alert>
  )
}
