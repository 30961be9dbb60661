export const strings = {
  title: 'Apps',
  about: 'Your apps for web, Roku, Fire TV, iOS and others. Each app has its own credentials.',
  create: 'New app',
  empty: 'No apps yet',
  emptyAbout: 'Each app gets an API key, and a client ID and secret for signing viewers in.',
  credentials: 'Credentials',
  appKey: 'App key',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  secrets: 'App key and client secret',
  replaceAbout:
    'The app gets a new key and a new secret now; its client ID stays the same. Installed copies of the app that still use the old ones stop working when the time below is over, until they are updated.',
  app: 'App',
  signIn: 'Signing viewers in',
  viewers: 'What viewers see',
  pages: 'Lists',
  store: 'App store',
} as const
