export const strings = {
  title: 'Categories',
  about: 'Ways to sort your videos, such as Genre with the values Drama and Comedy.',
  create: 'New category',
  empty: 'No categories yet',
  emptyAbout: 'Sort your videos by genre, language or season. Playlists can fill themselves from categories.',
  rules: {
    title: 'Audience rules of this category',
    about: 'Who can watch videos in this category, by country, site, device and time.',
    empty: 'This category has no rules of its own.',
  },
} as const
