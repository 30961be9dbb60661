import type { Resource } from './resource.js'

// The types that follow from a definition: records, what is written, what lists are asked for.

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** What a field holds. */
type Value<F> = F extends { kind: 'flag' }
  ? boolean
  : F extends { kind: 'integer' | 'number' }
    ? number
    : F extends { kind: 'choice'; options: readonly (infer C)[] }
      ? C
      : F extends { kind: 'list'; of: infer Item }
        ? Value<Item>[]
        : F extends { kind: 'objects'; of: infer Fields }
          ? {
              [K in keyof Fields as Fields[K] extends { writeOnly: true } ? never : K]:
                | Value<Fields[K]>
                | Empty<Fields[K]>
            }[]
          : F extends { kind: 'map' }
            ? { [key: string]: Json }
            : string

type Empty<F> = F extends
  | { required: true }
  | { always: true }
  | { kind: 'list' | 'map' | 'objects' | 'flag' }
  ? never
  : F extends { default: string | number }
    ? never
    : null

type Writable<Fields> = { [K in keyof Fields as Fields[K] extends { computed: true } ? never : K]: Fields[K] }
type RequiredNames<Fields> = {
  [K in keyof Fields]: Fields[K] extends { required: true } ? K : never
}[keyof Fields]
/** Money and positions in a film may also be written as numbers; times as a Date or as seconds since 1970. */
type Input<F> = F extends { kind: 'timestamp' }
  ? string | number | Date | null
  : F extends { kind: 'money' } | { format: 'timecode' }
    ? string | number | Empty<F>
    : F extends { kind: 'objects'; of: infer Inner }
      ? { [K in keyof Inner]?: Input<Inner[K]> }[]
      : Value<F> | Empty<F>

type Fields<R extends Pick<Resource, 'fields'>> = R['fields']
export type RecordOf<R extends Pick<Resource, 'fields'>> = {
  -readonly [K in keyof Fields<R> as Fields<R>[K] extends { kind: 'password' | 'file' } | { writeOnly: true }
    ? never
    : K]: Value<Fields<R>[K]> | Empty<Fields<R>[K]>
}
export type UpdateOf<R extends Resource> = {
  [K in keyof Writable<Fields<R>>]?: Input<Fields<R>[K & keyof Fields<R>]>
}
export type CreateOf<R extends Resource> = UpdateOf<R> & {
  [K in RequiredNames<Writable<Fields<R>>> & keyof Writable<Fields<R>>]: Input<Fields<R>[K & keyof Fields<R>]>
}

/** A field of a request after it was read: text has become what its kind holds. */
type Read<F> = F extends { kind: 'objects'; of: infer Inner }
  ? readonly ReadFields<Inner>[]
  : Value<F> | Empty<F>
type ReadFields<Fs> = {
  readonly [K in Exclude<keyof Writable<Fs>, RequiredNames<Fs>>]?: Read<Fs[K & keyof Fs]>
} & { readonly [K in RequiredNames<Writable<Fs>> & keyof Fs]: Read<Fs[K]> }

/** The fields of a request to a resource, as the server has read and checked them. */
export type BodyOf<R extends Resource, O extends 'create' | 'update' = 'update'> = O extends 'create'
  ? ReadFields<Fields<R>>
  : Partial<ReadFields<Fields<R>>>
/** The same of a request to an action. */
export type ActionBodyOf<R extends Resource, A extends keyof R['actions']> = R['actions'][A] extends {
  readonly body: infer Fs
}
  ? ReadFields<Fs>
  : Record<never, never>

type Asked<F> = F extends { kind: 'list'; of: infer Item }
  ? Value<Item> | Value<Item>[]
  : F extends { kind: 'timestamp' }
    ? string | number | Date
    : F extends { kind: 'objects' }
      ? Record<string, string | string[]>
      : F extends { kind: 'map' }
        ? Record<string, string | number | boolean>
        : Value<F> | Value<F>[]
type Tests<F> = F extends { filter: readonly (infer T)[] } ? T : never
type FilterName<K extends string, T extends string> = T extends 'is'
  ? K
  : T extends 'not'
    ? `${K}!`
    : T extends 'range'
      ? `${K}.${'gt' | 'gte' | 'lt' | 'lte'}`
      : T extends 'any'
        ? K
        : T extends 'or'
          ? `${K}_or`
          : T extends 'all'
            ? `${K}_and`
            : never
type ParameterName<K extends string, F> = F extends { filterAs: readonly (infer N extends string)[] } ? N : K
type Filters<Fs> = {
  [K in keyof Fs & string as FilterName<ParameterName<K, Fs[K]>, Tests<Fs[K]> & string>]?: Fs[K] extends {
    hides: true
  }
    ? boolean | 'all'
    : Asked<Fs[K]>
}
type SortNames<Fs> = { [K in keyof Fs]: Fs[K] extends { sort: true } ? K : never }[keyof Fs]

type Options<Fs> = { [K in keyof Fs]?: Value<Fs[K]> }

export type ListQueryOf<R extends Resource> = Filters<Fields<R>> &
  Options<R['readOptions'] & R['listOptions']> &
  (R['wideSearch'] extends infer O extends object ? Options<O> : unknown) & {
    q?: string
    sort?: SortNames<Fields<R>>
    order?: 'asc' | 'desc'
    page?: number
    per_page?: number
    cursor?: string
    response_fields?: readonly (keyof Fields<R>)[]
  } & ([keyof R['includes']] extends [never] ? unknown : { include?: readonly (keyof R['includes'])[] })
