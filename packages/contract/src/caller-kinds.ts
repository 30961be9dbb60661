/** The kinds of credential, from the most powerful down. */
export const callerKinds = {
  admin: { parameter: 'api_key', about: 'Admin key: everything in its channel. Never put it into an app.' },
  read_only: {
    parameter: 'api_key',
    about: 'Read-only key: reads the published catalogue and makes player requests; changes nothing.',
  },
  player: { parameter: 'api_key', about: 'Player key: player requests only.' },
  app: {
    parameter: 'app_key',
    about:
      'App key: reads the published catalogue, makes player requests, signs viewers up, mails them a forgotten password, links their devices, and reads a consumer it names.',
  },
  consumer: {
    parameter: 'access_token',
    about: "Access token: what the app key reads, as one consumer, and that consumer's own data.",
  },
  upload: {
    parameter: 'upload_token',
    about: 'Upload token: begins uploads, for a short time; made for a browser that must not know a key.',
  },
} as const

export type CallerKind = keyof typeof callerKinds
export type Access = Partial<Readonly<Record<Exclude<CallerKind, 'admin'>, true>>>
