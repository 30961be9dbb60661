import { plural, whole } from '../../../ui/numbers.js'

export const strings = {
  title: (count: number) => plural(count, { one: 'Edit # video', other: 'Edit # videos' }),
  choose: 'Fields to change',
  chooseAbout: 'All other fields stay as they are.',
  way: (field: string) => `What to do with ${field}`,
  ways: { set: 'Replace with', add: 'Add', remove: 'Remove' },
  category: 'Category',
  values: 'Values',
  noCategories: 'There are no categories yet.',
  preview: 'Preview',
  back: 'Back',
  apply: (count: number) => plural(count, { one: 'Change # video', other: 'Change # videos' }),
  trying: 'Checking what will change',
  list: 'What will change',
  cannot: (count: number) =>
    plural(count, { one: '# video cannot be changed:', other: '# videos cannot be changed:' }),
  gone: 'It was deleted.',
  nothing: 'All of these videos already have these values.',
  willChange: (count: number, all: number) => `${whole(count)} of ${whole(all)} videos will change.`,
  shownFirst: (count: number) => `Showing the first ${whole(count)}.`,
  working: (done: number, all: number) => `${whole(done)} of ${whole(all)}`,
  stop: 'Stop',
  stopped: (count: number) =>
    plural(count, { one: 'Stopped. # video was not changed.', other: 'Stopped. # videos were not changed.' }),
  changed: (count: number) => plural(count, { one: 'Changed # video', other: 'Changed # videos' }),
  notRestored: (count: number) =>
    plural(count, { one: '# video could not be changed back', other: '# videos could not be changed back' }),
  done: (count: number) => plural(count, { one: 'Changed # video.', other: 'Changed # videos.' }),
  failed: (count: number) =>
    plural(count, { one: '# video could not be changed:', other: '# videos could not be changed:' }),
  again: 'Retry',
  undo: 'Undo',
  undone: (count: number) => plural(count, { one: 'Restored # video.', other: 'Restored # videos.' }),
  close: 'Close',
} as const
