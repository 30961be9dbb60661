import type { Field } from '@zoetrope/contract'

/** The props of every input of a form. */
export interface InputProps<F extends Field = Field> {
  readonly name: string
  readonly field: F
  readonly label: string
  readonly value: unknown
  /** The current values of the form, for inputs that depend on another field. */
  readonly values?: Readonly<Record<string, unknown>>
  readonly problem: string | undefined
  readonly isDisabled: boolean
  onChange(value: unknown): void
}

/** A field of one kind. */
export type FieldOf<K extends Field['kind']> = Extract<Field, { readonly kind: K }>

/** The parts that Mantine's inputs share. */
export const shared = ({ name, field, label, problem, isDisabled }: InputProps) => ({
  name,
  label,
  description: field.about,
  error: problem,
  disabled: isDisabled,
  required: field.required,
})
