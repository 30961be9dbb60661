import type { Catalog, RecordOf } from '@zoetrope/contract'

/** A record of a resource, by the resource's name in the catalog. */
export type Entry<Name extends keyof Catalog> = RecordOf<Catalog[Name]>

export type Video = Entry<'videos'>
