import { plural, whole } from '../../ui/numbers.js'

export const strings = {
  title: 'Channel',
  about: 'Channel name, page numbering of the API, and where videos can be embedded.',
  general: 'General',
  api: 'API',
  apiAbout: 'How lists number their pages. Each app can override this.',
  domains: 'Domains',
  domainsAbout:
    'Sites that can embed your videos with a player key or a read-only key. Admin keys and apps are not restricted.',
  viewers: 'Viewers',
  films: 'Videos',
  danger: 'Danger zone',
  dangerAbout: 'Owners only. These actions affect the whole channel.',
  deleteVideos: 'Delete all videos',
  deleteVideosAbout:
    'Deletes every video in this channel, published or not. You can restore them for 30 days.',
  deleting: (left = 0) => `Deleting, ${whole(left)} to go. This continues if you close the page.`,
  restoring: (there = 0) => `Restoring, ${whole(there)} done. This continues if you close the page.`,
  deletedVideos: 'All videos were deleted',
  restored: 'Videos restored',
  notRestored: 'Could not restore the videos',
  undoDelete: (count: number) => plural(count, { one: 'Restore # video', other: 'Restore # videos' }),
  deleteChannel: 'Delete this channel',
  deleteChannelAbout:
    'Permanently deletes the channel with its videos, playlists, viewers, purchases, keys and team. This cannot be undone.',
  deletedChannel: (name: string) => `Deleted the channel “${name}”`,
  typeName: (name: string) => `Type the channel name to confirm: ${name}`,
} as const
