import type { ListQuery } from '../../ui/resource-table/use-resource-list.js'

/** Whether the query asks for deleted videos, which have a list of their own. */
export const isOfDeleted = ({ status }: ListQuery): boolean => status === 'deleted'

/** Converts the query of the page to a query of the API. */
export function askedOfApi(query: ListQuery): ListQuery {
  if (!isOfDeleted(query)) return query
  const { status: _status, ...rest } = query
  return { ...rest, deleted: true }
}
