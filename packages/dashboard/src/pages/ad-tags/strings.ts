export const strings = {
  title: 'Ad tags',
  about: 'Addresses that players ask for advertisements.',
  create: 'New ad tag',
  empty: 'No ad tags yet',
  emptyAbout: 'An ad tag is the address of an ad server, with how often and on which devices it is asked.',
  server: 'The ad server',
  often: 'How often',
  where: 'Where',
} as const
