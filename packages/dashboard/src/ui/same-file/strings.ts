export const strings = {
  before: 'The same file is already in',
  open: (title: string) => `“${title}” is not for everyone, but this copy is.`,
  sameAccess: 'Give this copy the same access',
  accessCopied: 'This copy has the same access now',
  keep: 'Keep both',
  remove: 'Move this one to the trash',
  removed: 'Moved to the trash',
  failed: 'Could not change the video',
} as const
