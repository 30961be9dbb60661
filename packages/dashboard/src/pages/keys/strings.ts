export const strings = {
  title: 'API keys',
  about: 'With these your servers, apps and pages talk to the API.',
  reference: 'API reference',
  kinds: {
    admin: { title: 'Admin key', about: 'For your servers only: it may do everything in this channel.' },
    read_only: { title: 'Read-only key', about: 'Reads what viewers may see. It may be in an app.' },
    player: { title: 'Player key', about: 'Plays videos on pages. It is in every embed code.' },
  },
  lastUsed: (when: string) => `Last used ${when}`,
  neverUsed: 'Never used',
  made: (when: string) => `Made ${when}`,
  previous: (when: string) => `The key before it works until ${when}`,
  replaceAbout:
    'A new key is made at once. Whatever still uses the old one is refused once the time below is over, so change it there before.',
} as const
