export const strings = {
  title: 'Ad tags',
  about: 'The ad servers that players request ads from.',
  create: 'New ad tag',
  empty: 'No ad tags yet',
  emptyAbout:
    'An ad tag is the address of an ad server. You choose how often, and on which devices, ads are shown.',
  server: 'Ad server',
  often: 'Frequency',
  where: 'Devices',
} as const
