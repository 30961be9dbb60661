export const strings = {
  title: 'Transactions',
  about: 'What viewers have bought or rented. Each opens what was bought.',
  create: 'New transaction',
  empty: 'No transactions yet',
  emptyAbout: 'Your shop reports them through the API. Entering one by hand opens what was bought.',
  bought: 'What was bought',
  paid: 'What was paid',
} as const
