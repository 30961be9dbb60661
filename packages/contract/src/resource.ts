import { type Access, type Role, roles } from './caller-kinds.js'
import { type Field, id, timestamp } from './fields.js'
import { includeOption, keptListOptions, keptReadOptions } from './resources/read-options.js'

export type Operation = 'list' | 'get' | 'create' | 'update' | 'remove'

/** An endpoint that is not one of the five: declared here, coded in the server's `features/<plural>/`. */
export interface Action {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Its path segment, if that is not its name. */ readonly path?: string /** The path names no record. */
  readonly on?: 'collection'
  readonly about: string
  readonly access: Access
  /** The roles in the dashboard that may call it, if they differ from those of the resource. */
  readonly roles?: readonly Role[]
  /** Needs confirmation in the dashboard, see `Definition.confirmed`. */
  readonly confirmed?: true
  /** The status of a success; 200 unless it creates something. */
  readonly success?: 201
  /** What it returns instead of a record: a message, a page of a list, all records as a tree under their plural name, or a file. */
  readonly answers?: 'message' | 'list' | 'tree' | 'file'
  /** The media types of the file. */
  readonly types?: readonly string[]
  /** The resource whose records a list or a tree shows. Reading such a list takes the filters of that resource. */
  readonly of?: Shown
  /** Runs in one transaction as a whole. */
  readonly atomic?: true
  /** Fields of the request body; none when absent. */
  readonly body?: Readonly<Record<string, Field>>
}

/** When a milestone is reached: a column is no longer null, has changed, or has this value now. */
type Condition = `${string} set` | `${string} changed` | `${string} is ${string}`

/** A moment in the life of a record that is an event of its own. */
export interface Milestone {
  /** One sentence for the reader of the list of events. */
  readonly about: string
  readonly when: Condition | readonly Condition[]
}

/** What events tell of a record, where that does not follow from its fields. */
export interface History {
  /** The first part of the types of its events, if it is not its name. */
  readonly name?: string
  /** Fields whose changes are no events, such as counts and progress. */
  readonly quiet?: readonly string[]
  /** Fields that events never contain. Secrets need no mention. */
  readonly hidden?: readonly string[]
  /** By the second part of their types. */
  readonly milestones?: Readonly<Record<string, Milestone>>
}

/** What is needed to show records. */
export type Shown = Pick<Resource, 'name' | 'plural' | 'fields'> &
  Partial<Pick<Resource, 'optionalFields' | 'includes'>>

export interface Definition {
  readonly name: string
  readonly plural: string
  readonly about: string
  /** What each kind of caller may do. The admin key may do everything; callers that are not named may do nothing. */
  readonly access: Access<'read' | readonly Operation[]>
  /** The dashboard roles that may use it: all, unless it holds secrets or people. A viewer can only read. */
  readonly roles?: readonly Role[]
  /**
   * What named keys may do, if not everything: only read it, use it only with the write scope because its records are
   * credentials themselves, or nothing.
   */
  readonly namedKeys?: 'read' | 'write' | 'never'
  /** Its records are credentials. Creating one needs confirmation, and undoing a deletion never brings one back. */
  readonly credential?: true
  /**
   * What a person in the dashboard has to confirm with the password: creating, reviving or widening a credential, a receiver of
   * events, or somebody's rights: always, or with one of these fields. Keys are never asked. Actions say it themselves.
   */
  readonly confirmed?: { readonly create?: true | readonly string[]; readonly update?: readonly string[] }
  /** Its place in an address where that is not its name. */
  readonly path?: string
  /** Belongs to one record of this resource: /consumers/{consumer_id}/sessions. */
  readonly within?: Resource
  /** An access token can access its own consumer's record only; for others it gets 404. */
  readonly personal?: true
  /** Its records are not rows of a table; features compute every response. */
  readonly derived?: true
  /** Its operations run in one transaction as a whole. */
  readonly atomic?: true
  /** Another wrapper that its fields may have, besides its name. */
  readonly wrapper?: string
  /** A unique field whose value may be used in a path instead of the id. */
  readonly alsoNamedBy?: string
  readonly operations?: readonly Operation[]
  /** The channel's one record of this kind: no id in the path, no list. */
  readonly single?: true
  /** A removed record can be restored for this many days. */
  readonly keptDays?: number
  /** May have millions of records: its count and each record's JSON are updated with every write, not computed for each list. */
  readonly counted?: true
  /** The counted list whose records show records of this resource: a write of one may change both. */
  readonly shownIn?: 'consumers' | 'videos'
  readonly history?: History
  readonly fields: Readonly<Record<string, Field>>
  /** Names that records have only if an option asks for them. */
  readonly optionalFields?: readonly string[]
  /** Options for reading records, besides their fields. */
  readonly readOptions?: Readonly<Record<string, Field>>
  /**
   * The related records that `include` shows, by name, with their name in the catalogue. Their ids are in the field of that name
   * that ends in _id or _ids; without one they are those inside of the record.
   */
  readonly includes?: Readonly<Record<string, string>>
  /** Options for lists only, besides their filters. */
  readonly listOptions?: Readonly<Record<string, Field>>
  /**
   * Options of its own list, to search in more than the fields that q looks at. The words of its records are then not in
   * a column, but in a narrow table that is called <name>_search.
   */
  readonly wideSearch?: Readonly<Record<string, Field>>
  /** Query parameters for reading or removing one record. */
  readonly memberOptions?: Readonly<Record<string, Field>>
  /** The list's order when the caller names none. */
  readonly order?: { readonly sort: string; readonly order: 'asc' | 'desc' }
  readonly actions?: Readonly<Record<string, Action>>
}

const standardFields = {
  _id: id({
    about: 'The id: 24 hexadecimal digits, in the order of creation.',
    computed: true,
    always: true,
    filter: ['is', 'not'],
    filterAs: ['id', '_id'],
  }),
  site_id: id({ about: 'The channel it belongs to.', computed: true, always: true }),
  created_at: timestamp({
    about: 'When it was created.',
    computed: true,
    always: true,
    filter: ['is', 'range'],
    sort: true,
  }),
  updated_at: timestamp({
    about: 'When it last changed.',
    computed: true,
    always: true,
    filter: ['is', 'range'],
    sort: true,
  }),
} as const

const keptFields = {
  deleted_at: timestamp({ about: 'When it was deleted; null if it was not.', computed: true }),
} as const

type StandardFields = typeof standardFields
type KeptFields<D> = D extends { readonly keptDays: number } ? typeof keptFields : unknown
type KeptOptions<D> = D extends { readonly keptDays: number } ? ReturnType<typeof keptListOptions> : unknown
type ListOptions<D> = D extends { readonly listOptions: infer O } ? O : Record<never, never>

/** A complete definition: every field, operation and default spelled out. */
export interface Resource {
  readonly name: string
  readonly plural: string
  readonly about: string
  readonly path: string
  readonly access: Definition['access']
  readonly roles: readonly Role[]
  readonly namedKeys: Definition['namedKeys']
  readonly credential: boolean
  readonly confirmed: NonNullable<Definition['confirmed']>
  readonly within: Resource | undefined
  readonly personal: boolean
  readonly derived: boolean
  readonly atomic: boolean
  readonly wrapper: string | undefined
  readonly alsoNamedBy: string | undefined
  readonly operations: readonly Operation[]
  readonly single: boolean
  readonly keptDays: number | undefined
  readonly counted: boolean
  readonly shownIn: 'consumers' | 'videos' | undefined
  readonly history: History
  readonly fields: Readonly<Record<string, Field>>
  readonly optionalFields: readonly string[]
  readonly readOptions: Readonly<Record<string, Field>>
  readonly includes: Readonly<Record<string, string>>
  readonly listOptions: Readonly<Record<string, Field>>
  readonly wideSearch: Readonly<Record<string, Field>> | undefined
  readonly memberOptions: Readonly<Record<string, Field>>
  readonly order: { readonly sort: string; readonly order: 'asc' | 'desc' }
  readonly actions: Readonly<Record<string, Action>>
}

/** Where records of a resource are. */
export interface Place {
  readonly path: string
  readonly within?: Place
}

/** What a client needs to call a resource: its paths and which roles may use them, without its fields. */
export interface Outline
  extends Place,
    Pick<Resource, 'name' | 'plural' | 'operations' | 'single' | 'roles'> {
  readonly actions: Readonly<Record<string, ActionOutline>>
}

export interface ActionOutline extends Pick<Action, 'method' | 'path' | 'on' | 'answers' | 'roles'> {
  readonly of?: Pick<Shown, 'plural'>
  readonly body?: object
}

/** A resource that still knows its fields, operations and actions by name. */
type Defined<D extends Definition> = Omit<
  Resource,
  | 'name'
  | 'plural'
  | 'derived'
  | 'history'
  | 'counted'
  | 'fields'
  | 'readOptions'
  | 'includes'
  | 'listOptions'
  | 'wideSearch'
  | 'operations'
  | 'single'
  | 'actions'
  | 'within'
> & {
  readonly name: D['name']
  readonly plural: D['plural']
  readonly derived: D extends { readonly derived: true } ? true : false
  readonly history: D extends { readonly history: infer H extends History } ? H : Record<never, never>
  readonly counted: D extends { readonly counted: true } ? true : false
  readonly within: D extends { readonly within: infer P extends Resource } ? P : undefined
  readonly fields: StandardFields & D['fields'] & KeptFields<D>
  readonly readOptions: D extends { readonly readOptions: infer O } ? O : Record<never, never>
  readonly includes: D extends { readonly includes: infer I } ? I : Record<never, never>
  readonly listOptions: ListOptions<D> & KeptOptions<D>
  readonly wideSearch: D extends { readonly wideSearch: infer O } ? O : undefined
  readonly operations: readonly OperationsOf<D>[]
  readonly single: D extends { readonly single: true } ? true : false
  readonly actions: ActionsOf<D>
}
type OperationsOf<D> = D extends { readonly operations: readonly (infer O extends Operation)[] }
  ? O
  : Operation
type ActionsOf<D> = D extends { readonly actions: infer A } ? A : Record<never, never>

const defaults = {
  roles: Object.keys(roles) as Role[],
  namedKeys: undefined,
  credential: false,
  confirmed: {},
  within: undefined,
  personal: false,
  derived: false,
  atomic: false,
  wrapper: undefined,
  alsoNamedBy: undefined,
  operations: ['list', 'get', 'create', 'update', 'remove'],
  single: false,
  keptDays: undefined,
  counted: false,
  shownIn: undefined,
  history: {},
  optionalFields: [],
  readOptions: {},
  includes: {},
  listOptions: {},
  wideSearch: undefined,
  memberOptions: {},
  order: { sort: 'created_at', order: 'desc' },
  actions: {},
}

export function defineResource<const D extends Definition>(definition: D): Defined<D> {
  const { name, plural, single, path = single ? name : plural, keptDays, fields } = definition
  const { readOptions, listOptions, includes } = definition
  return {
    ...defaults,
    ...definition,
    path,
    fields: { ...standardFields, ...fields, ...(keptDays ? keptFields : {}) },
    readOptions: {
      ...readOptions,
      ...(includes ? includeOption(includes) : {}),
      ...(keptDays ? keptReadOptions(keptDays) : {}),
    },
    listOptions: { ...listOptions, ...(keptDays ? keptListOptions(keptDays) : {}) },
  } as never
}

/** The column of a nested resource that names the record it lives in, and its name in the path. */
export const parentField = (parent: Resource): string => `${parent.name}_id`
