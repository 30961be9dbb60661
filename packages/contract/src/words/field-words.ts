import type { Field } from '../fields.js'

/**
 * What a form says about a field. It is written for publishers; `about` in the definition is written for the readers of
 * the API reference. Only the dashboard imports these texts, page by page, so they are in no response of the server.
 */
export interface FieldWords {
  readonly label: string
  /** A sentence below the label; null if the label says it all. */
  readonly help: string | null
  /** The names of a choice's options. */
  readonly options?: Readonly<Record<string, string>>
  /** The texts of the fields of a small object. */
  readonly of?: Words
}

export type Words = Readonly<Record<string, FieldWords>>

type Fields = Readonly<Record<string, Field>>

/** Callers write it, and not only as a list of changes to another field. */
type IsEdited<F> = F extends { readonly computed: true }
  ? false
  : F extends { readonly kind: 'objects'; readonly writeOnly: true }
    ? false
    : true
type Edited<F extends Fields> = {
  [N in keyof F]: N extends '_id' ? never : IsEdited<F[N]> extends true ? N : never
}[keyof F]

type WordsFor<F> = F extends { readonly kind: 'choice'; readonly options: readonly (infer O)[] }
  ? FieldWords & { readonly options: Readonly<Record<`${O & (string | number)}`, string>> }
  : F extends { readonly kind: 'objects'; readonly of: infer I extends Fields }
    ? FieldWords & { readonly of: FormWords<I> }
    : FieldWords

type FormWords<F extends Fields, Hidden extends keyof F = never> = {
  readonly [N in Exclude<Edited<F>, Hidden>]: WordsFor<F[N]>
} & { readonly [N in Exclude<keyof F, Exclude<Edited<F>, Hidden>>]?: FieldWords }

/**
 * The texts of a form for records of a resource. A writable field without them does not compile, unless it is named as
 * hidden, because no form shows it. Fields that the platform sets may have texts too: the labels of columns and filters.
 */
export type WordsOf<
  R extends { readonly fields: Fields },
  Hidden extends keyof R['fields'] = never,
> = FormWords<R['fields'], Hidden>
