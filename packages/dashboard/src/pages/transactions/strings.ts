export const strings = {
  title: 'Transactions',
  about: 'What viewers have bought or rented. Each transaction unlocks what was paid for.',
  create: 'New transaction',
  empty: 'No transactions yet',
  emptyAbout:
    'Your shop adds them through the API. You can also add one yourself to unlock something for a viewer.',
  bought: 'Purchase',
  paid: 'Payment',
} as const
