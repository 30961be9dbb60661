import { plural } from '../../ui/numbers.js'

export const strings = {
  title: 'Redemption codes',
  about: 'Each code unlocks one thing for the viewer who redeems it.',
  create: 'New code',
  empty: 'No codes yet',
  emptyAbout: 'Give codes away with a ticket, a magazine or a gift card.',
  code: 'Code',
  opens: 'Unlocks',
  bulk: 'Create many',
  bulkAbout: 'Up to 1,000 codes at a time. Choose one video, playlist, plan or pass that they unlock.',
  amount: 'Number of codes',
  made: (count: number) => plural(count, { one: 'Created # code', other: 'Created # codes' }),
} as const
