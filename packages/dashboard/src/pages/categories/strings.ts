export const strings = {
  title: 'Categories',
  about: 'Words with values, such as Genre with Drama and Comedy. Videos have some of the values.',
  create: 'New category',
  empty: 'No categories yet',
  emptyAbout:
    'Categories sort videos: by genre, by language, by season. Playlists can fill themselves by them.',
  rules: {
    title: 'Audience of this category',
    about:
      'Who may watch the videos that have a value of it, or may not: by country, site, kind of device and time.',
    empty: 'No rules of its own.',
  },
} as const
