export const strings = {
  title: 'Passes',
  about: 'What opens every video that asks for a pass, for some days.',
  create: 'New pass',
  empty: 'No passes yet',
  emptyAbout: 'A pass is paid once and lasts some days: a festival weekend, a season.',
} as const
