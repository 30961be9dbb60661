import { plural } from '../../../ui/numbers.js'

export const strings = {
  title: (count: number) =>
    plural(count, { one: 'Add # video to a playlist', other: 'Add # videos to a playlist' }),
  search: 'Find a playlist',
  none: 'No playlist found',
  noneYet: 'There are no playlists that you fill by hand yet.',
  found: (count: number) => plural(count, { one: '# playlist', other: '# playlists' }),
  videos: (count: number) => plural(count, { one: '# video', other: '# videos' }),
  hidden: 'Hidden',
  newTitle: 'Title of a new playlist',
  create: 'Create and add',
} as const
