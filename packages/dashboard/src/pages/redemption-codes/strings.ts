export const strings = {
  title: 'Redemption codes',
  about: 'Codes that each open one thing, for the one viewer who redeems it.',
  create: 'New code',
  empty: 'No codes yet',
  emptyAbout: 'Give codes away with a ticket, a magazine or a box: whoever redeems one may watch.',
  code: 'Code',
  opens: 'Opens',
  bulk: 'Make many',
  bulkAbout: 'Codes for one thing, at most 1,000 at a time. Choose one of video, playlist, plan and pass.',
  amount: 'How many',
  made: (count: number) => `Made ${count.toLocaleString()} codes`,
} as const
