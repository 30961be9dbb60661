import type { ListQuery } from '../../ui/resource-table/use-resource-list.js'

/** Deleted videos stand in a list of their own: whoever asks for that status is shown it. */
export const isOfDeleted = ({ status }: ListQuery): boolean => status === 'deleted'

/** What the API is asked for. */
export function askedOfApi(query: ListQuery): ListQuery {
  if (!isOfDeleted(query)) return query
  const { status: _status, ...rest } = query
  return { ...rest, deleted: true }
}
