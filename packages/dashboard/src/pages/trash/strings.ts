import { plural, whole } from '../../ui/numbers.js'

export const strings = {
  title: 'Trash',
  about: (days: number) => `Deleted videos stay here for ${days} days. Then they are deleted for good.`,
  empty: 'The trash is empty',
  emptyAbout: (days: number) => `A video that you delete stays here for ${days} days.`,
  columns: { title: 'Video', deleted: 'Deleted', left: 'Time left' },
  left: (days: number) => (days < 1 ? 'Less than a day' : plural(days, { one: '# day', other: '# days' })),
  actions: (title: string) => `Actions for ${title}`,
  restore: 'Restore',
  purge: 'Delete for good…',
  purgeOne: (title: string) => `Delete “${title}” for good?`,
  purgeSome: (count: number) =>
    plural(count, { one: 'Delete # video for good?', other: 'Delete # videos for good?' }),
  purgeAbout: 'Video files, pictures, subtitles and statistics are deleted too. This cannot be undone.',
  purgeNow: 'Delete for good',
  purged: (count: number) =>
    plural(count, { one: 'Deleted # video for good', other: 'Deleted # videos for good' }),
  emptyTrash: 'Empty the trash…',
  cancel: 'Cancel',
  bulk: 'Actions for the selected videos',
  selected: (count: number) => `${whole(count)} selected`,
  clear: 'Clear selection',
  working: (done: number, all: number) => `${whole(done)} of ${whole(all)}`,
  failed: (count: number) =>
    plural(count, { one: '# video could not be changed', other: '# videos could not be changed' }),
  notFound: 'The trash could not be read',
} as const
