export const strings = {
  title: 'Plans',
  about: 'What viewers can subscribe to.',
  create: 'New plan',
  empty: 'No plans yet',
  emptyAbout: 'A plan has a price, a period, and opens everything or some playlists to those who subscribe.',
  offer: 'What is offered',
  opens: 'What it opens',
  price: 'What it costs',
  elsewhere: 'Where it is billed',
  elsewhereAbout: 'The ids of the plan at payment providers and in app stores.',
} as const
