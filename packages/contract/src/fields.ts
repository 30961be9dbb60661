/**
 * The kinds of field. A field is plain data: what it holds, what it may be, and what may be asked of it.
 * Options stand in a fixed order: about, required or computed, default, limits, filter, search, sort.
 */

/** `is`, `any` → name=, `not` → name!=, `range` → name.gt/.gte/.lt/.lte=, `or` → name_or=, `all` → name_and=. */
export type FilterTest = 'is' | 'not' | 'range' | 'any' | 'or' | 'all'

interface Facts {
  /** One sentence for the reader of the reference and of a form. */
  readonly about: string
  /** Must be given on create and can never be emptied. */
  readonly required?: true
  /** Set by the platform; ignored in requests. */
  readonly computed?: true
  /** Never null although neither required nor defaulted: the platform always fills it. */
  readonly always?: true
  /** Has no column in the table: a feature fills it in where it can, and elsewhere it is null. */
  readonly derived?: true
  /** Can be written but is never shown: it changes another field. */
  readonly writeOnly?: true
  /** A secret that only the answer to the request shows which makes it. It is not stored, not even for repeated requests. */
  readonly once?: true
  readonly filter?: readonly FilterTest[]
  /** The name of the filter's parameter where it differs from the field's. */
  readonly filterAs?: readonly string[]
  readonly search?: true
  readonly sort?: true
  /** Only the admin key may write it; it is ignored when other callers send it. */
  readonly restricted?: true
  /** Names under which clients may send it outside of the wrapper, also in the query string of a request with a body. */
  readonly beside?: readonly string[]
  /**
   * Of a flag: records for which it is false are shown to the admin key only, and to it only when asked for. Of a choice: records
   * with this value are shown to the admin key only.
   */
  readonly hides?: true | string
}

/** `language`: the code of a language; its English name is understood too. `currency`: the code of a currency. */
export type TextFormat =
  | 'url'
  | 'slug'
  | 'email'
  | 'color'
  | 'domain'
  | 'redirect'
  | 'timecode'
  | 'language'
  | 'currency'

export interface TextField extends Facts {
  readonly kind: 'text'
  readonly default?: string
  readonly maxLength: number
  readonly format?: TextFormat
}
export interface FlagField extends Facts {
  readonly kind: 'flag'
  readonly default: boolean
}
export interface NumberField extends Facts {
  readonly kind: 'integer' | 'number'
  readonly default?: number
  readonly min: number
  readonly max: number
}
export interface MoneyField extends Facts {
  readonly kind: 'money'
}
export interface ChoiceField<Options extends readonly (string | number)[] = readonly (string | number)[]>
  extends Facts {
  readonly kind: 'choice'
  readonly options: Options
  readonly default?: Options[number]
}
export interface TimestampField extends Facts {
  readonly kind: 'timestamp'
  readonly default?: 'now'
}
export interface IdField extends Facts {
  readonly kind: 'id'
}
/** Kept as a keyed digest for look-up and as ciphertext for display; the plain text is never stored. */
export interface SecretField extends Facts {
  readonly kind: 'secret'
}
/** Can be written but is never shown: only a hash is stored. */
export interface PasswordField extends Facts {
  readonly kind: 'password'
  readonly minLength: number
  readonly maxLength: number
}
/** Can be written but is never shown: bytes as base64, or a part of a multipart body. Other fields show the result. */
export interface FileField extends Facts {
  readonly kind: 'file'
  readonly maxBytes: number
}
export interface ListField extends Facts {
  readonly kind: 'list'
  readonly of: TextField | IdField
  readonly item: string
  readonly maxItems: number
}
/** Free key/value pairs. */
export interface MapField extends Facts {
  readonly kind: 'map'
  readonly maxKeys: number
  /** Collects values whose names match no field. */
  readonly rest?: true
}
/** A list of small objects, written by the platform (`objects`) or by callers (`nested`). */
export interface ObjectsField extends Facts {
  readonly kind: 'objects'
  /** A request parameter selects which fields the objects have, besides their id. */
  readonly selectable?: true
  readonly item: string
  readonly maxItems: number
  readonly of: Readonly<Record<string, Field>>
}

export type Field =
  | TextField
  | FlagField
  | NumberField
  | MoneyField
  | ChoiceField
  | TimestampField
  | IdField
  | SecretField
  | PasswordField
  | FileField
  | ListField
  | MapField
  | ObjectsField

type Given<F extends Facts, Optional extends keyof F = never> = Omit<F, 'kind' | Optional> &
  Partial<Pick<F, Optional>>

export const text = <const O extends Given<TextField, 'maxLength'>>(options: O) =>
  ({ kind: 'text', maxLength: 255 as number, ...options }) as const
export const longText = <const O extends Given<TextField, 'maxLength'>>(options: O) =>
  ({ kind: 'text', maxLength: 50_000 as number, ...options }) as const
export const flag = <const O extends Given<FlagField, 'default'>>(options: O) =>
  ({ kind: 'flag', default: false as boolean, ...options }) as const
export const integer = <const O extends Given<NumberField, 'min' | 'max'>>(options: O) =>
  ({ kind: 'integer', min: 0 as number, max: 2_147_483_647 as number, ...options }) as const
export const number = <const O extends Given<NumberField, 'min' | 'max'>>(options: O) =>
  ({ kind: 'number', min: 0 as number, max: 1_000_000_000 as number, ...options }) as const
export const money = <const O extends Given<MoneyField>>(options: O) =>
  ({ kind: 'money', ...options }) as const
export const timestamp = <const O extends Given<TimestampField>>(options: O) =>
  ({ kind: 'timestamp', ...options }) as const
export const id = <const O extends Given<IdField>>(options: O) => ({ kind: 'id', ...options }) as const
export const secret = <const O extends Given<SecretField>>(options: O) =>
  ({ kind: 'secret', computed: true, always: true, ...options }) as const
export const password = <const O extends Given<PasswordField, 'minLength' | 'maxLength'>>(options: O) =>
  ({ kind: 'password', minLength: 8 as number, maxLength: 200 as number, ...options }) as const
export const file = <const O extends Given<FileField>>(options: O) => ({ kind: 'file', ...options }) as const
export const map = <const O extends Given<MapField, 'maxKeys'>>(options: O) =>
  ({ kind: 'map', maxKeys: 100 as number, ...options }) as const
export const choice = <
  const C extends readonly (string | number)[],
  const O extends Given<ChoiceField<C>, 'options'>,
>(
  options: C,
  facts: O,
) => ({ kind: 'choice', options, ...facts }) as const
export const list = <
  const I extends TextField | IdField,
  const O extends Given<ListField, 'of' | 'maxItems'>,
>(
  of: I,
  options: O,
) => ({ kind: 'list', of, maxItems: 200 as number, ...options }) as const
export const objects = <
  const F extends Readonly<Record<string, Field>>,
  const O extends Given<ObjectsField, 'of' | 'maxItems'>,
>(
  of: F,
  options: O,
) => ({ kind: 'objects', of, computed: true, maxItems: 10_000 as number, ...options }) as const
/** A list of small objects that callers write. With `writeOnly` it is a list of changes to another field: see `change`. */
export const nested = <
  const F extends Readonly<Record<string, Field>>,
  const O extends Given<ObjectsField, 'of' | 'maxItems'>,
>(
  of: F,
  options: O,
) => ({ kind: 'objects', of, maxItems: 100 as number, ...options }) as const

/** Keys that a change to one object of a list may have besides its fields; without an id, it creates a new object. */
export const change = {
  id: id({ about: 'The one to change; `_id` is accepted too. Without an id a new one is created.' }),
  _destroy: flag({ about: 'Removes the one with this id.' }),
} as const

/** Whether a record shows the field; the others are only ever written. */
export const isShown = ({ kind, writeOnly }: Field): boolean =>
  kind !== 'password' && kind !== 'file' && !writeOnly

/** A field whose value may be null: neither required nor defaulted, and no list or map (those are empty instead). */
export function nullable(field: Field): boolean {
  if (field.required || field.always) return false
  if (field.kind === 'list' || field.kind === 'map' || field.kind === 'objects') return false
  return !('default' in field) || field.default === undefined
}
