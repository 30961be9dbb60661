import type { Catalog } from '@zoetrope/contract'
import type { CallOptions, Client, Page } from '@zoetrope/sdk'

/** A record of any resource. */
export type Plain = Readonly<Record<string, unknown>> & { readonly _id: string }

type Fields = Readonly<Record<string, unknown>>

/** What can be done with any resource that has the five operations. */
export interface PlainCalls {
  list(query: Fields, options?: CallOptions): Promise<Page<Plain>>
  get(id: string, options?: CallOptions): Promise<Plain>
  create(fields: Fields, options?: CallOptions): Promise<Plain>
  update(id: string, fields: Fields, options?: CallOptions): Promise<Plain>
  remove(id: string, options?: CallOptions): Promise<void>
}

/** For pages that are the same whatever resource they show: the definition says what its fields are. */
export const plainCalls = (client: Client, name: keyof Catalog) => client[name] as unknown as PlainCalls
