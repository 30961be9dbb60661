import type { Catalog } from '@zoetrope/contract'

/** What the dashboard's own endpoints return, and data derived from several records. */
type OwnData =
  | 'all-videos'
  | 'consumer-parts'
  | 'format-costs'
  | 'frames'
  | 'invitations'
  | 'members'
  | 'overview'
  | 'owners'
  | 'places'
  | 'playlist-videos'
  | 'requests'
  | 'snippets'
  | 'status'
  | 'storage'
  | 'subtitle-text'
  | 'views'

/**
 * The cache key for data of a channel. Records are `keyOf(name, channel, 'record', id)`, and lists are `keyOf(name,
 * channel, 'list', …)` with their query. A shorter key invalidates every key that begins with it: `keyOf(name)`
 * covers everything cached for a resource.
 */
export const keyOf = (
  name: keyof Catalog | OwnData,
  ...rest: [] | [channelId: string, kept?: 'record' | 'list', ...what: unknown[]]
): readonly unknown[] => [name, ...rest]
