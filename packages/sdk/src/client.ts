import type {
  Action,
  Catalog,
  CreateOf,
  Field,
  ListQueryOf,
  Pagination,
  RecordOf,
  Resource,
  SearchSummary,
  Shown,
  UpdateOf,
} from '@zoetrope/contract'
import type { OnEvents } from './transport.js'

/** One namespace per resource of the catalog, each with the operations and actions that resource has. */
export type Client = { readonly [Name in keyof Catalog]: Methods<Catalog[Name]> }

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Parameters of the request, such as zobject_type of a get, or dry_run of a write. */
  readonly query?: Readonly<Record<string, unknown>>
  /** Identifies a write, so that it is done once even if another process repeats it. Random unless you set it. */
  readonly idempotencyKey?: string
  /** The ETag of the record as it was read. If it has changed since, an update or removal fails with 412. */
  readonly ifMatch?: string
  /** Called with the ETag of what a `get` has read, for `ifMatch`. */
  readonly onEtag?: (etag: string) => void
  /** Called with the ids of the events that a write has caused, the newest first; `events.undo` undoes each. */
  readonly onEvents?: OnEvents
}

export interface Page<T> {
  readonly response: T[]
  readonly pagination: Pagination
  /** What a search found; only with `search`. */
  readonly search?: SearchSummary
}

interface Standard<R extends Resource> {
  readonly list: (
    ...args: [...Parent<R>, query?: ListQueryOf<R>, options?: CallOptions]
  ) => Promise<Page<RecordOf<R>>>
  /** Iterates over all records by cursor, so that concurrent changes neither skip nor repeat one. */
  readonly all: (
    ...args: [...Parent<R>, query?: Omit<ListQueryOf<R>, 'page' | 'cursor'>, options?: CallOptions]
  ) => AsyncIterable<RecordOf<R>>
  readonly get: (...args: [...Ids<R>, options?: CallOptions]) => Promise<RecordOf<R>>
  readonly create: (
    ...args: [...Parent<R>, fields: CreateOf<R>, options?: CallOptions]
  ) => Promise<RecordOf<R>>
  readonly update: (...args: [...Ids<R>, fields: UpdateOf<R>, options?: CallOptions]) => Promise<RecordOf<R>>
  readonly remove: (...args: [...Ids<R>, options?: CallOptions]) => Promise<void>
}

/** The leading ids of a call: those of the parent records, the outermost first, and the record's own. */
type Parent<R extends Resource> = R['within'] extends Resource
  ? [...Parent<R['within']>, parentId: string]
  : []
type Ids<R extends Resource> = [...Parent<R>, ...(R['single'] extends true ? [] : [id: string])]

type OperationsOf<R extends Resource> = R['operations'][number]

type Actions<R extends Resource> = {
  readonly [Name in keyof R['actions'] & string as CamelCase<Name>]: (
    ...args: [...ActionIds<R, R['actions'][Name]>, ...Given<R['actions'][Name]>, options?: CallOptions]
  ) => Answered<R, R['actions'][Name]>
}

type Answered<R extends Resource, A> = A extends { readonly answers: 'message' }
  ? Promise<void>
  : A extends { readonly answers: 'list'; readonly of: infer O extends Shown }
    ? Promise<Page<RecordOf<O>>>
    : A extends { readonly answers: 'tree'; readonly of: infer O extends Shown }
      ? Promise<RecordOf<O>[]>
      : A extends { readonly answers: 'file' }
        ? Promise<string>
        : Promise<RecordOf<R>>

/** What a call takes besides its ids: fields, or the filters of a list. */
type Given<A extends Action | undefined> = A extends {
  readonly method: 'GET'
  readonly answers: 'list'
  readonly of: infer O extends Resource
}
  ? A extends { readonly body: infer B extends Record<string, Field> }
    ? [query: ListQueryOf<O> & FieldsOf<B>]
    : [query?: ListQueryOf<O>]
  : Body<A>

type ActionIds<R extends Resource, A> = A extends { readonly on: 'collection' } ? Parent<R> : Ids<R>

type Body<A extends Action | undefined> = A extends { readonly body: infer B extends Record<string, Field> }
  ? Record<never, never> extends FieldsOf<B>
    ? [fields?: FieldsOf<B>]
    : [fields: FieldsOf<B>]
  : []

type FieldsOf<B extends Readonly<Record<string, Field>>> = CreateOf<
  Omit<Resource, 'fields'> & { readonly fields: B }
>

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

type Methods<R extends Resource> = Pick<
  Standard<R>,
  OperationsOf<R> | ('list' extends OperationsOf<R> ? 'all' : never)
> &
  Actions<R>
