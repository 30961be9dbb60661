export const strings = {
  title: 'Apps',
  about: 'Your video apps: web, Roku, Fire TV, iOS. Each has credentials of its own.',
  create: 'New app',
  empty: 'No apps yet',
  emptyAbout: 'An app gets a key for the API, and a client id and secret with which it signs viewers in.',
  credentials: 'Credentials',
  appKey: 'App key',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  secrets: 'App key and client secret',
  replaceAbout:
    'The app gets a new key and a new secret at once; its client id stays. Copies of the app that still have the old ones can neither ask the API nor sign viewers in once the time below is over, until they are updated.',
  app: 'The app',
  signIn: 'Signing viewers in',
  viewers: 'What viewers see',
  pages: 'Lists',
  store: 'In the store',
} as const
