export const strings = {
  title: 'Program guides',
  about: 'What is on when, read every hour from an XMLTV file.',
  create: 'New program guide',
  empty: 'No program guides yet',
  emptyAbout: 'A guide is read from the address of an XMLTV file. Apps list what is on now and next.',
  refresh: 'Read now',
  refreshed: 'The file will be read in a moment',
  notRefreshed: 'The file is not read',
  entries: 'What is on',
  noEntries: 'Nothing yet: the file has not been read, or names nothing for this channel.',
  failed: 'It could not be read the last time',
} as const
