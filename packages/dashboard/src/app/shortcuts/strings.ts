export const strings = {
  title: 'Keyboard shortcuts',
  find: 'Find a page, video, viewer or action',
  notice: 'Go to the newest notice, for example to undo',
  save: 'Save the form',
  search: 'Search the list',
  range: 'Select all rows from the last one to this one',
  close: 'Close a dialog',
  shortcuts: 'Show this list',
} as const
