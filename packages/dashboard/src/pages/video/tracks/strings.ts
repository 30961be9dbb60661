/** The texts that audio tracks and subtitles share. */
export const strings = {
  more: (title: string) => `Actions for ${title}`,
  hide: 'Hide from viewers',
  show: 'Show to viewers',
  delete: 'Delete',
  failed: 'That didn’t work',
} as const
