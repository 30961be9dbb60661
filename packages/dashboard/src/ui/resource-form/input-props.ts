import type { Field } from '@zoetrope/contract'
import type { FieldWords, Words } from '@zoetrope/contract/words/field-words'

/** The props of every input of a form. */
export interface InputProps<F extends Field = Field> {
  readonly name: string
  readonly field: F
  readonly label: string
  readonly help: string | null
  /** The names of the options of a choice. */
  readonly options?: FieldWords['options']
  /** The texts of the fields of small objects. */
  readonly inner?: Words
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
export const shared = ({ name, field, label, help, problem, isDisabled }: InputProps) => ({
  name,
  label,
  description: help ?? undefined,
  error: problem,
  disabled: isDisabled,
  required: field.required,
})
