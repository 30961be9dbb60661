export interface Experiment {
  /** Its file in this folder. The comment at the top of the file is printed by --help. */
  readonly file: string
  /** Its arguments, with their defaults. */
  readonly options?: string
  readonly about: string
}

/** Everything that `npm run lab -- NAME` can run. */
export const experiments: Readonly<Record<string, Experiment>> = {
  bench: {
    file: 'bench/run.ts',
    options: '[--rows 5000000] [--seconds 8] [--dir folder]',
    about: 'lists, searches and writes beside a bare server',
  },
  'bench-cdn': {
    file: 'bench/cdn.ts',
    options: '[--viewers 200] [--minutes 2]',
    about: 'films through nginx with a cache',
  },
  'bench-cold': {
    file: 'bench/cold-segments.ts',
    options: '[--viewers 200]',
    about: 'many viewers of segments that are not encoded yet',
  },
  'bench-compression': {
    file: 'bench/compression.ts',
    options: '[--seconds 5]',
    about: 'lists with and without compression',
  },
  'bench-dashboard': {
    file: 'bench/dashboard.ts',
    options: '[--videos 100000] [--answers]',
    about: 'how fast the pages of the dashboard load and respond',
  },
  'bench-dashboard-list': {
    file: 'bench/dashboard-list.ts',
    options: '[--rows 100000]',
    about: 'whether a long list scrolls smoothly',
  },
  'bench-driver': {
    file: 'bench/driver.ts',
    options: '[--statements 5000] [--turns 5]',
    about: 'what a statement costs with this and other database drivers',
  },
  'bench-earlier': {
    file: 'bench/earlier.ts',
    options: '--checkout folder [--rows 100000] [--seconds 4] [--turns 5]',
    about: 'this version beside an earlier one',
  },
  'bench-events': {
    file: 'bench/events.ts',
    options: '[--dead]',
    about: 'the cost of events, and how soon webhooks send them',
  },
  'bench-library': {
    file: 'bench/library.ts',
    options: '[--playlist 100000] [--owned 1000000] [--dir folder]',
    about: 'long playlists, many consumers, favourites and entitlements',
  },
  'bench-media': {
    file: 'bench/media.ts',
    options: '[--short]',
    about: 'seconds until a film can be played, segments, formats, memory',
  },
  'bench-nodes': {
    file: 'bench/nodes.ts',
    options: '[--seconds 5]',
    about: 'the cost of requests with one, two and four servers',
  },
  'bench-peers': {
    file: 'bench/peers.ts',
    options: '[--rows 100000] [--seconds 8] [--megabytes 1024] [--dir folder]',
    about: 'the same requests to Directus, Strapi, @tus/server and oidc-provider',
  },
  'bench-row-security': {
    file: 'bench/row-security.ts',
    about: 'the cost of row-level security',
  },
  'bench-search': {
    file: 'bench/search.ts',
    options: '[--rows 100000] [--dir folder]',
    about: 'searches, and what keeping the words costs a write',
  },
  'bench-storage': {
    file: 'bench/storage.ts',
    options: '[--rounds 3] [--short]',
    about: 'films in S3 beside films on the disk',
  },
  'bench-viewers': {
    file: 'bench/viewers.ts',
    options: '[--seconds 8]',
    about: 'sign-ins, lists with an access token, a storm of sign-ins',
  },
  chaos: {
    file: 'chaos/kills.ts',
    options: '[--kills 20] [--fresh]',
    about: 'kills server and PostgreSQL while videos are created',
  },
  'chaos-events': {
    file: 'chaos/events.ts',
    options: '[--kills 200] [--fresh]',
    about: 'kills server, worker and PostgreSQL while webhooks are sent',
  },
  'chaos-media': {
    file: 'chaos/media.ts',
    options: '[--kills 200] [--minutes 15] [--fresh]',
    about: 'kills server, worker, ffmpeg and PostgreSQL while films are uploaded',
  },
  'chaos-nodes': {
    file: 'chaos/nodes.ts',
    options: '[--kills 200] [--minutes 20] [--fresh]',
    about: 'kills servers, workers and ffmpeg of two machines',
  },
  'chaos-outage': {
    file: 'chaos/outage.ts',
    options: '[--minutes 10]',
    about: 'takes the S3 store away',
  },
  'chaos-storage': {
    file: 'chaos/storage.ts',
    options: '[--kills 200] [--objects 1000] [--fresh]',
    about: 'kills the process that moves films to another store',
  },
  fuzz: {
    file: 'attacks/fuzz.ts',
    options: '[--requests 100000] [--seed 1] [--fresh]',
    about: 'wrong requests to every operation',
  },
  guess: {
    file: 'attacks/guess.ts',
    options: '[--times 10000] [--fresh]',
    about: 'guesses passwords and PINs',
  },
  hostile: {
    file: 'attacks/hostile.ts',
    options: '[--requests 10000] [--at-once 50]',
    about: 'hostile requests beside an honest client',
  },
  'try-generators': {
    file: 'trials/generators.ts',
    about: 'clients that four generators make from the OpenAPI document',
  },
  'try-node': {
    file: 'trials/node.ts',
    options: '[20.19 22 24]',
    about: 'other versions of Node',
  },
  'try-players': {
    file: 'trials/players.ts',
    about: 'films in seven third-party players',
  },
  'try-postgres': {
    file: 'trials/postgres.ts',
    options: '[15 16 17 18]',
    about: 'other versions of PostgreSQL',
  },
  'try-s3': {
    file: 'trials/s3.ts',
    about: 'the tests of films in S3 against Ceph',
  },
  weight: {
    file: 'bench/weight.ts',
    options: '--checkout folder',
    about: 'lines, triggers and tables beside an earlier version',
  },
}
