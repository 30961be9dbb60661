import { type Resource, sortFields } from '@zoetrope/contract'
import { invalidParameter } from '../errors.js'
import { unknownSort } from '../lib/unknown-parameters.js'
import type { Call } from './feature.js'

export type Order = 'asc' | 'desc'

export interface ListOrder {
  readonly sort: string
  readonly order: Order
}

type Asking = Pick<Call, 'query' | 'notice'>

/** The order of a list: the requested one, or the default. */
export function readOrder(resource: Resource, asking: Asking): ListOrder {
  const { sort: asked, order } = withoutUnknownSort(resource, asking)
  const direction = readDirection(order)
  if (!asked) return { sort: resource.order.sort, order: direction ?? resource.order.order }
  const sort = fieldNamed(resource, String(asked))
  const names = sortFields(resource)
  if (names.includes(sort)) return { sort, order: direction ?? 'asc' }
  throw invalidParameter('sort', `must be one of ${names.join(', ')}`)
}

/** Removes a sort that names no field from the query, with a notice. The list then has its default order. */
export function withoutUnknownSort(resource: Resource, { query, notice }: Asking): Call['query'] {
  readDirection(query.order)
  if (!query.sort || Object.hasOwn(resource.fields, fieldNamed(resource, String(query.sort)))) return query
  notice(unknownSort(resource, String(query.sort)))
  const { sort: _sort, order: _order, ...others } = query
  return others
}

/** `title` means `name` if records have only a name. */
const fieldNamed = (resource: Resource, asked: string): string =>
  asked === 'title' && !Object.hasOwn(resource.fields, asked) && sortFields(resource).includes('name')
    ? 'name'
    : asked

function readDirection(given: unknown): Order | undefined {
  if (!given) return undefined
  const order = String(given).toLowerCase()
  if (order === 'asc') return order
  // Some Roku and Tizen apps send dsc.
  if (order === 'desc' || order === 'dsc') return 'desc'
  throw invalidParameter('order', 'must be asc or desc')
}
