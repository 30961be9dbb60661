export const strings = {
  title: 'Plans',
  about: 'What viewers can subscribe to.',
  create: 'New plan',
  empty: 'No plans yet',
  emptyAbout:
    'A plan has a price and a billing period. It unlocks all videos for subscribers, or selected playlists.',
  offer: 'Plan',
  opens: 'Included videos',
  price: 'Price',
  elsewhere: 'Payment providers and app stores',
  elsewhereAbout: 'The IDs of this plan at your payment provider and in app stores.',
} as const
