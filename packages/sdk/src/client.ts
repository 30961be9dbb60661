import type {
  Action,
  Catalog,
  ChannelEvent,
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
import type { FollowEventsOptions, FollowEventsQuery, VideoProgress } from './follow.js'
import type { SendFileOptions, SentFile } from './send-file.js'
import type { OnEvents } from './transport.js'

/** One namespace per resource of the catalog, each with the operations and actions that resource has. */
export type Client = {
  readonly [Name in keyof Catalog]: Methods<Catalog[Name]> &
    (Name extends keyof MoreMethods ? MoreMethods[Name] : unknown)
}

/** Methods that are more than one request. */
export interface MoreMethods {
  readonly events: {
    /**
     * Yields events as they happen, each once and in order, and continues after a broken connection. With `after` it
     * begins after the last event that you have handled, so that nothing is missed between two runs of a program.
     */
    readonly follow: (query?: FollowEventsQuery, options?: FollowEventsOptions) => AsyncIterable<ChannelEvent>
  }
  readonly videos: {
    /** Yields what changes while a film is prepared, and ends when it is complete or has failed. */
    readonly follow: (
      id: string,
      options?: Pick<FollowEventsOptions, 'signal'>,
    ) => AsyncIterable<VideoProgress>
  }
  readonly uploads: {
    /** Sends a film in pieces, and continues after a broken connection. In Node, `fs.openAsBlob` makes a Blob of a file. */
    readonly send: (file: Blob, options?: SendFileOptions) => Promise<SentFile>
  }
}

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Parameters of the request, such as zobject_type of a get, or dry_run of a write. */
  readonly query?: Readonly<Record<string, unknown>> | undefined
  /** Identifies a write, so that it is done once even if another process repeats it. Random unless you set it. */
  readonly idempotencyKey?: string | undefined
  /** The ETag of the record as it was read. If it has changed since, an update or removal fails with 412. */
  readonly ifMatch?: string | undefined
  /** Called with the ETag of what a `get` has read, for `ifMatch`. */
  readonly onEtag?: ((etag: string) => void) | undefined
  /** Called with the ids of the events that a write has caused, the newest first; `events.undo` undoes each. */
  readonly onEvents?: OnEvents | undefined
}

export interface Page<T> {
  readonly response: T[]
  readonly pagination: Pagination
  /** What a search found; only with `search`. */
  readonly search?: SearchSummary
}

interface Standard<R extends Resource> {
  readonly list: <F extends FieldName<R> = FieldName<R>, const I extends Includes<R> = undefined>(
    ...args: [...Parent<R>, query?: ListQueryOf<R> & Choice<F, I>, options?: CallOptions]
  ) => Promise<Page<Chosen<Whole<R>, NoInfer<F>> & Included<R, NoInfer<I>>>>
  /** Iterates over all records by cursor, so that concurrent changes neither skip nor repeat one. */
  readonly all: <F extends FieldName<R> = FieldName<R>, const I extends Includes<R> = undefined>(
    ...args: [
      ...Parent<R>,
      query?: Omit<ListQueryOf<R>, 'page' | 'cursor'> & Choice<F, I>,
      options?: CallOptions,
    ]
  ) => AsyncIterable<Chosen<Whole<R>, NoInfer<F>> & Included<R, NoInfer<I>>>
  readonly get: <F extends FieldName<R> = FieldName<R>, const I extends Includes<R> = undefined>(
    ...args: [...Ids<R>, options?: CallOptions & { readonly query?: Choice<F, I> | undefined }]
  ) => Promise<Chosen<Whole<R>, NoInfer<F>> & Included<R, NoInfer<I>>>
  readonly create: (
    ...args: [...Parent<R>, fields: CreateOf<R>, options?: CallOptions]
  ) => Promise<RecordOf<R>>
  readonly update: (...args: [...Ids<R>, fields: UpdateOf<R>, options?: CallOptions]) => Promise<RecordOf<R>>
  readonly remove: (...args: [...Ids<R>, options?: CallOptions]) => Promise<void>
}

/** A record with all its fields. */
type Whole<R extends Resource> = R['name'] extends 'event' ? ChannelEvent : RecordOf<R>
type FieldName<R extends Resource> = keyof Whole<R> & string
type Choice<F extends string, I> = {
  readonly response_fields?: readonly F[]
  readonly include?: I
}
type Includes<R extends Resource> = readonly (keyof R['includes'] & string)[] | undefined
/** The related records that were asked for. */
type Included<R extends Resource, I> = I extends readonly (infer Name extends string)[]
  ? { -readonly [N in Name]: RelatedOf<R['includes'][N], N> }
  : unknown
type RelatedOf<Key, Name> = Key extends keyof Catalog
  ? Name extends `${string}s`
    ? RecordOf<Catalog[Key]>[]
    : RecordOf<Catalog[Key]> | null
  : never
/** The fields of a record that were asked for; the id always comes too. */
type Chosen<T, F> = [keyof T] extends [F] ? T : T extends unknown ? Pick<T, keyof T & (F | '_id')> : never

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
