import type { Catalog } from '@zoetrope/contract'

/** What the dashboard's own endpoints return, and what is derived from several records. */
type OwnData =
  | 'all-videos'
  | 'consumer-parts'
  | 'format-costs'
  | 'frames'
  | 'invitations'
  | 'keys'
  | 'members'
  | 'overview'
  | 'owners'
  | 'places'
  | 'playlist-videos'
  | 'requests'
  | 'snippets'
  | 'status'
  | 'subtitle-text'
  | 'views'

/**
 * The key under which data of a channel is cached. Records are `keyOf(name, channel, 'record', id)`, and lists
 * `keyOf(name, channel, 'list', …)` with what was asked for. Shorter keys invalidate all that begins with them:
 * `keyOf(name)` is everything known of a resource.
 */
export const keyOf = (
  name: keyof Catalog | OwnData,
  ...rest: [] | [channelId: string, kept?: 'record' | 'list', ...what: unknown[]]
): readonly unknown[] => [name, ...rest]
