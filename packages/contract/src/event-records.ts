import type { Catalog } from './catalog.js'
import type { otherEvents } from './event-types.js'
import type { RecordOf } from './record-types.js'
import type { Resource } from './resource.js'

// The types of events, which follow from the definitions of the records that they are about.

type Subject<R extends Resource> = R['history'] extends { readonly name: infer Name extends string }
  ? Name
  : R['name']

type Writes<R extends Resource> = Exclude<R['operations'][number], 'list' | 'get'>

type Verb<R extends Resource> =
  | 'updated'
  | 'restored'
  | (Subject<R> extends 'entitlement' | 'playlist_entitlement'
      ? 'granted' | 'ended'
      : R['single'] extends true
        ? never
        : 'created' | 'deleted')
  | ('deleted_at' extends keyof R['fields'] ? 'purged' : never)
  | (R['history'] extends { readonly milestones: infer Named } ? keyof Named & string : never)

/** Secrets are in no event. */
type SecretName<Fields> = {
  [K in keyof Fields]: Fields[K] extends { readonly kind: 'secret' } ? K : never
}[keyof Fields]

interface EventAbout<Type extends string, Data, Previous = Partial<Data>>
  extends Omit<RecordOf<Catalog['events']>, 'type' | 'actor' | 'data' | 'previous'> {
  /** What happened: the name of the record and a verb, or a milestone. */
  type: Type
  /** Who did it: a kind of credential, a role in the dashboard, `job`, or `system`. */
  actor: { kind: string; id: string | null; name?: string }
  /** The record after the change, or as it was when it was deleted. */
  data: Data
  /** After an update, the old values of the fields that changed. */
  previous: Previous
}

type EventsOf<R extends Resource> = R['derived'] extends true
  ? never
  : [Writes<R>] extends [never]
    ? never
    : EventAbout<`${Subject<R>}.${Verb<R>}`, Omit<RecordOf<R>, SecretName<R['fields']>>>

type AnyData = RecordOf<Catalog['events']>['data']

/** An event of a channel. Its `type` tells what `data` is. */
export type ChannelEvent =
  | { [Name in keyof Catalog]: EventsOf<Catalog[Name]> }[keyof Catalog]
  | EventAbout<keyof typeof otherEvents, AnyData, AnyData>
