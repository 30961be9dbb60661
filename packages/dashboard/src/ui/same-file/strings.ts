export const strings = {
  before: 'The same file is already in',
  keep: 'Keep both',
  remove: 'Move this one to the trash',
  removed: 'Moved to the trash',
  failed: 'Could not change the video',
} as const
