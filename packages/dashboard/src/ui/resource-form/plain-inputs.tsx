import { FileInput, NativeSelect, PasswordInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { nullable } from '@zoetrope/contract'
import { labelOf } from '../labels.js'
import { LanguagePicker } from '../language-picker.js'
import { timeZone } from '../numbers.js'
import { strings } from '../strings.js'
import { type FieldOf, type InputProps, shared } from './input-props.js'

const oneLine = 255

/** Converts an empty text to null if the field is nullable. */
const textOr = (text: string, isNullable: boolean) => (text === '' && isNullable ? null : text)

export function TextField(props: InputProps<FieldOf<'text'>>) {
  const { field, value, onChange } = props
  if (field.format === 'language')
    return (
      <LanguagePicker
        {...shared(props)}
        clearable={nullable(field)}
        value={value ? String(value) : null}
        onChange={onChange}
      />
    )
  const text = String(value ?? '')
  const take = (next: string) => onChange(textOr(next, nullable(field)))
  if (field.maxLength > oneLine && field.maxLength !== 500 && !field.format)
    return (
      <Textarea
        {...shared(props)}
        value={text}
        onChange={(event) => take(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={14}
      />
    )
  return (
    <TextInput
      {...shared(props)}
      type={field.format === 'email' ? 'email' : 'text'}
      value={text}
      onChange={(event) => take(event.currentTarget.value)}
    />
  )
}

export const IdField = (props: InputProps) => (
  <TextInput
    {...shared(props)}
    value={String(props.value ?? '')}
    onChange={(event) => props.onChange(textOr(event.currentTarget.value.trim(), nullable(props.field)))}
    ff="monospace"
  />
)

export const PasswordField = (props: InputProps) => (
  <PasswordInput
    {...shared(props)}
    // Unlike other inputs of Mantine, this one does not set it.
    aria-invalid={props.problem !== undefined}
    value={String(props.value ?? '')}
    autoComplete="new-password"
    onChange={(event) => props.onChange(event.currentTarget.value || null)}
  />
)

export const NumberField = (props: InputProps<FieldOf<'integer' | 'number'>>) => (
  <TextInput
    {...shared(props)}
    type="number"
    min={props.field.min}
    max={props.field.max}
    step={props.field.kind === 'integer' ? 1 : 'any'}
    value={typeof props.value === 'number' ? props.value : ''}
    onChange={({ currentTarget }) =>
      props.onChange(currentTarget.value === '' ? null : currentTarget.valueAsNumber)
    }
  />
)

export const FlagField = (props: InputProps<FieldOf<'flag'>>) => (
  <Switch
    name={props.name}
    label={props.label}
    description={props.help ?? undefined}
    error={props.problem}
    disabled={props.isDisabled}
    checked={props.value === true}
    onChange={(event) => props.onChange(event.currentTarget.checked)}
  />
)

export function ChoiceField(props: InputProps<FieldOf<'choice'>>) {
  const { field, value, onChange } = props
  const empty = nullable(field) ? [{ value: '', label: strings.none }] : []
  const options = field.options.map((option) => ({
    value: String(option),
    label: props.options?.[String(option)] ?? labelOf(String(option)),
  }))
  return (
    <NativeSelect
      {...shared(props)}
      data={[...empty, ...options]}
      value={String(value ?? '')}
      onChange={({ currentTarget }) =>
        onChange(field.options.find((option) => String(option) === currentTarget.value) ?? null)
      }
    />
  )
}

/** Formats a timestamp for the browser's picker, in the user's time zone. */
function localTime(moment: unknown): string {
  if (typeof moment !== 'string' || moment === '') return ''
  const date = new Date(moment)
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

export const TimestampField = (props: InputProps) => (
  <TextInput
    {...shared(props)}
    type="datetime-local"
    description={[props.help, strings.timeZone(timeZone())].filter(Boolean).join(' ')}
    value={localTime(props.value)}
    onChange={({ currentTarget }) =>
      props.onChange(currentTarget.value === '' ? null : new Date(currentTarget.value).toISOString())
    }
  />
)

export const ListField = (props: InputProps<FieldOf<'list'>>) => (
  <TagsInput
    {...shared(props)}
    value={Array.isArray(props.value) ? props.value.map(String) : []}
    placeholder={strings.listHint}
    acceptValueOnBlur
    maxTags={props.field.maxItems}
    onChange={props.onChange}
  />
)

/** The content of a file as base64, as the API expects it. */
async function base64(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return address.slice(address.indexOf(',') + 1)
}

export const FileField = (props: InputProps) => (
  <FileInput
    {...shared(props)}
    placeholder={strings.chooseFile}
    clearable
    onChange={(file) => {
      if (file) void base64(file).then(props.onChange)
      else props.onChange(null)
    }}
  />
)
