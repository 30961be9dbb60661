import type { Catalog } from '@zoetrope/contract'
import type { CallOptions, Client, Page } from '@zoetrope/sdk'
import type { Entry } from './records.js'

/** A record of any resource. */
export type Plain = Readonly<Record<string, unknown>> & { readonly _id: string }

type Fields = Readonly<Record<string, unknown>>

/** The five operations of a resource. `Parents` are the ids of its parent records. */
interface LooseCalls<T, Parents extends string[] = []> {
  list(...args: [...Parents, query: Fields, options?: CallOptions]): Promise<Page<T>>
  all(...args: [...Parents, query: Fields, options?: CallOptions]): AsyncIterable<T>
  get(...args: [...Parents, id: string, options?: CallOptions]): Promise<T>
  create(...args: [...Parents, fields: Fields, options?: CallOptions]): Promise<T>
  update(...args: [...Parents, id: string, fields: Fields, options?: CallOptions]): Promise<T>
  remove(...args: [...Parents, id: string, options?: CallOptions]): Promise<void>
}

/** For pages that work with any resource and take its fields from the definition. */
export const plainCalls = (client: Client, name: keyof Catalog) =>
  client[name] as unknown as LooseCalls<Plain>

/** For queries and changes built at run time, such as filters from the URL. */
export const looseCalls = <Name extends keyof Catalog>(client: Client, name: Name) =>
  client[name] as unknown as LooseCalls<Entry<Name>>

/** Like `looseCalls`, for a nested resource. The parent's id comes first. */
export const nestedCalls = <Name extends keyof Catalog>(client: Client, name: Name) =>
  client[name] as unknown as LooseCalls<Entry<Name>, [parentId: string]>
