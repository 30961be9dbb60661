export const strings = {
  title: 'Program guides',
  about: 'TV schedules, updated every hour from an XMLTV file.',
  create: 'New program guide',
  empty: 'No program guides yet',
  emptyAbout: 'Enter the address of an XMLTV file. Your apps can then show what’s on now and next.',
  refresh: 'Update now',
  refreshed: 'The guide will be updated in a moment',
  notRefreshed: 'Could not update the guide',
  entries: 'What’s on',
  noEntries: 'Nothing yet. The file has not been read, or contains no programs for this channel.',
  failed: 'The last update failed',
} as const
