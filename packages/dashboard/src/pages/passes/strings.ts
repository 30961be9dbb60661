export const strings = {
  title: 'Passes',
  about: 'A pass unlocks every video that requires one, for a number of days.',
  create: 'New pass',
  empty: 'No passes yet',
  emptyAbout: 'A pass is paid for once and lasts a number of days: a festival weekend, a season.',
} as const
