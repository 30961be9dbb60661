/** The kinds of credential, from the most powerful down. */
export const callerKinds = {
  admin: { parameter: 'api_key', about: 'Admin key: everything in its channel. Never put it into an app.' },
  named: {
    parameter: 'api_key',
    about:
      'Named key: what its scopes allow of what the admin key may do; never keys, people, secrets or the settings of the account.',
  },
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

/** What people who sign in to the dashboard may do in a channel, from the most powerful down. */
export const roles = {
  owner: 'Owner: everything in the channel, its keys and its people too.',
  editor: 'Editor: everything but apps, keys, people, and ending the channel.',
  viewer: 'Viewer: sees what an editor sees and changes nothing.',
} as const

export type CredentialKind = keyof typeof callerKinds
export type Role = keyof typeof roles
export type CallerKind = CredentialKind | Role
/** A caller that `access` does not name may do nothing; these need not be named. */
type Publishing = 'admin' | 'named' | Role
export type Access<T = true> = Partial<Readonly<Record<Exclude<CallerKind, Publishing>, T>>>

const publishing: ReadonlySet<CallerKind> = new Set<Publishing>([
  'admin',
  'named',
  'owner',
  'editor',
  'viewer',
])

/** Whether it acts for the publisher: it sees hidden records, and is exempt from the limits on strangers. */
export const publishes = (kind: CallerKind): boolean => publishing.has(kind)

const isRole = (kind: CallerKind): kind is Role => Object.hasOwn(roles, kind)

/** A kind of caller in a sentence: what it may do. */
export const aboutCaller = (kind: CallerKind): string =>
  isRole(kind) ? roles[kind] : callerKinds[kind].about

const owners = ['owner'] as const
const editors = ['owner', 'editor'] as const

/** What people can do in the dashboard besides using the API's resources, and the roles that may do it. */
export const duties = {
  keys: owners,
  app_secrets: owners,
  team: owners,
  /** Deleting the channel, or all its videos. */
  channel: owners,
  test_mail: owners,
  /** Seeing and checking the storage of the installation. */
  storage: owners,
  requests: editors,
  status: editors,
  sample: editors,
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Duty = keyof typeof duties
