export const strings = {
  parent: 'Videos',
} as const
