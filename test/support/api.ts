import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Catalog, RecordOf } from '@zoetrope/contract'
import { type Client, createClient, signIn } from '@zoetrope/sdk'
import { pino } from 'pino'
import { createApp } from '../../packages/server/src/app.js'
import { createChannel, type NewChannel } from '../../packages/server/src/auth/channels.js'
import { openPasswords } from '../../packages/server/src/auth/passwords.js'
import { createPrincipals } from '../../packages/server/src/auth/principals.js'
import type { OidcConfig } from '../../packages/server/src/config/config.js'
import { bucketOrigin, diskIn, type StorageSettings } from '../../packages/server/src/config/storage-url.js'
import { createGeoLookup, type GeoLookupOptions } from '../../packages/server/src/countries/geo-lookup.js'
import { type Database, openDatabase } from '../../packages/server/src/db/database.js'
import type { WaitingPatience } from '../../packages/server/src/films/waiting.js'
import { jobs } from '../../packages/server/src/jobs/index.js'
import { createSealer, type Sealer } from '../../packages/server/src/lib/sealing.js'
import { openFigures } from '../../packages/server/src/library/figures.js'
import { openWatch } from '../../packages/server/src/library/watch.js'
import { openFreshness } from '../../packages/server/src/lists/freshness.js'
import { openMailer } from '../../packages/server/src/mail/mailer.js'
import type { MediaParts } from '../../packages/server/src/media-segments/media-parts.js'
import { openMedia } from '../../packages/server/src/open-media.js'
import { openIdentityProvider } from '../../packages/server/src/publishers/openid.js'
import type { Parts } from '../../packages/server/src/resources/feature.js'
import { checkAnswers } from './answer-checks.js'
import { noteCalls } from './calls.js'
import { cloneDatabase } from './database.js'
import { openTestFfmpeg } from './ffmpeg.js'
import { appendLog } from './log-files.js'
import { littleCost } from './password-cost.js'
import type { Connection } from './postgres.js'
import { atEnd, runningFile } from './running-file.js'
import { note, notingPasswords, notingSealer } from './secrets.js'
import { xmlFetch } from './xml-fetch.js'

export type Format = 'json' | 'xml'

/** Test files about the wire formats. Handlers behave the same in both formats. */
const isAboutFormats = (file: string) =>
  /\/(access|requests|specification|wire|filters|pagination|videos-records|contributing)[\w-]*\.test\.ts$/.test(
    file,
  )

/** The formats to test in the running file: both if the file is about formats, otherwise JSON only. */
export const formats: Iterable<Format> = {
  *[Symbol.iterator]() {
    yield 'json'
    if (isAboutFormats(runningFile()) || process.env.TEST_FORMATS === 'all') yield 'xml'
  },
}
export type Who = 'admin' | 'read_only' | 'player' | 'app'

/** A signed-in viewer. */
export interface TestConsumer {
  readonly _id: string
  readonly email: string
  readonly password: string
  readonly access_token: string
  readonly refresh_token: string
}

export interface TestChannel extends NewChannel {
  readonly app_key: string
  readonly app: RecordOf<Catalog['apps']>
  /** Creates a consumer and signs them in to the channel's app. */
  consumer(email?: string): Promise<TestConsumer>
  /** Returns a client that uses one of the channel's credentials. */
  as(who: Who, format?: Format): Client
}

export interface TestApi {
  readonly url: string
  readonly database: Database
  readonly connection: Connection
  readonly parts: Parts
  readonly media: MediaParts
  readonly channel: TestChannel
  /** A second channel, whose records the first one must not see. */
  readonly other: TestChannel
  /** Returns a client of the first channel. */
  as(who: Who, format?: Format): Client
  /** Starts another server on the same database. */
  startNode(surroundings?: Surroundings): Promise<Node>
  stop(): Promise<void>
}

interface Node {
  readonly url: string
  readonly parts: Parts
  readonly media: MediaParts
  readonly database: Database
  stop(): Promise<void>
}

const playerScript = fileURLToPath(new URL('../../packages/player/dist/zoetrope-player.js', import.meta.url))
const dashboardFolder = fileURLToPath(new URL('../../packages/dashboard/dist', import.meta.url))
const secretKey = 'a secret key for tests only, 32 characters and more'
note(secretKey)
/** The capabilities of ffmpeg do not change while tests run. */
const ffmpeg = openTestFfmpeg()
const sealer = notingSealer(createSealer(secretKey))
/** Everything that the servers under test log, for tests that search it for secrets. */
export const logged: string[] = []
const write = (line: string) => {
  logged.push(line)
  appendLog('servers', line)
}

/** Returns a free port. The port must be known before the server starts: its responses contain its public address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/**
 * How the servers of a test look up countries, the identity provider of publishers, and whether they say that they send mails.
 * By default they have none of these.
 */
type Surroundings = Partial<GeoLookupOptions> & {
  readonly oidc?: OidcConfig
  readonly canMail?: boolean
  /** Where films are; by default, each server has them in a folder of its own. */
  readonly storage?: StorageSettings
  /** Whether viewers are sent on to the store. */
  readonly redirects?: boolean
  /** The address of segments and pictures; by default the server's. */
  readonly mediaUrl?: string
  /** Whether and how patiently it looks for films that wait. */
  readonly patience?: WaitingPatience
  /** How much of films in a store is kept on the disk. */
  readonly cachedFilmBytes?: number
}

async function startNode(connection: Connection, surroundings: Surroundings): Promise<Node> {
  const {
    trustedProxies = [],
    oidc,
    canMail = false,
    storage,
    mediaUrl,
    cachedFilmBytes = 1e9,
    redirects = false,
    patience,
    ...countries
  } = surroundings
  const database = openDatabase({ connection, connections: 6 })
  const freshness = await openFreshness(database, () => {})
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const passwords = notingPasswords(openPasswords({ cost: littleCost }))
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-media-'))
  const media = await openMedia(
    {
      dataDir: folder,
      storage: storage ?? diskIn(folder),
      oldStorage: undefined,
      cacheDir: join(folder, 'cache'),
      cachedFilmBytes,
      maxUploadBytes: 2_000_000_000,
      channelBytes: undefined,
      importNetworks: [],
      encoders: 2,
    },
    database,
    ffmpeg,
  )
  const parts: Parts = {
    database,
    sealer,
    freshness,
    passwords,
    cache: media.cache,
    principals: createPrincipals(database.db, sealer),
    lifetimes: { accessSeconds: 604_800, refreshDays: 90, sessionDays: 365 },
    loginUrl: url,
    playerUrl: url,
    mediaUrl: mediaUrl ?? url,
    apiUrl: url,
    canMail,
    allows: { receiver: (address) => address === '127.0.0.1', import: (address) => address === '127.0.0.1' },
    files: media,
  }
  const log = pino({ level: 'trace' }, { write })
  const figures = openFigures({ database, jobs, store: media.trouble, disks: { films: folder } })
  const mailer = openMailer({
    smtpUrl: undefined,
    from: 'no-reply@example.org',
    outbox: join(folder, 'outbox'),
    log,
  })
  const watch = openWatch({
    ...{ database, jobs, store: media.trouble, disks: {} },
    ...(patience ? { patience } : {}),
  })
  const stopping = new AbortController()
  const watching = patience && watch.keepLooking(log, stopping.signal)
  const app = await createApp({
    parts,
    media,
    player: {
      playerUrl: url,
      playerScript,
      storeUrl: redirects && storage?.kind === 's3' ? bucketOrigin(storage) : undefined,
    },
    dashboardFolder,
    keepKey: async () => {},
    dropPassword: async () => {},
    mail: { mailer, from: 'no-reply@example.org' },
    provider: oidc && openIdentityProvider(oidc, url),
    figures,
    watch,
    disks: {},
    log,
    apiUrl: url,
    version: 'test',
    answerBytes: 4_000_000,
    trustedProxies,
    geo: createGeoLookup({ ...countries, trustedProxies }),
  })
  noteCalls(app.server)
  checkAnswers(app.server)
  await app.listen({ port, host: '127.0.0.1' })
  return {
    url,
    parts,
    media,
    database,
    async stop() {
      stopping.abort()
      await watching
      await app.close()
      await mailer.close()
      await media.windows.close()
      await rm(folder, { recursive: true, force: true })
      freshness.close()
      await passwords.close()
      await database.close()
    },
  }
}

export async function addChannel(
  url: string,
  database: Database,
  title: string,
  seals: Sealer = sealer,
): Promise<TestChannel> {
  const made = await database.transaction((tx) => createChannel(tx, seals, title))
  const admin = createClient({ url, apiKey: made.keys.admin, retries: 0 })
  const app = await admin.apps.create({ title: `${title} app` })
  const { app_key } = app
  const clients = new Map<string, Client>()
  const as = (who: Who, format: Format = 'json') => {
    const credential = who === 'app' ? { appKey: app_key } : { apiKey: made.keys[who] }
    const spoken = format === 'xml' ? { fetch: xmlFetch } : {}
    const client = clients.get(who + format) ?? createClient({ url, ...credential, retries: 0, ...spoken })
    clients.set(who + format, client)
    return client
  }
  const consumer = async (email = `viewer-${randomBytes(5).toString('hex')}@example.com`) => {
    const password = `pass ${randomBytes(9).toString('hex')}`
    const { _id } = await admin.consumers.create({ email, password })
    const tokens = await signIn({
      url,
      clientId: app.client_id,
      clientSecret: app.client_secret,
      username: email,
      password,
    })
    return { _id, email, password, access_token: tokens.access_token, refresh_token: tokens.refresh_token }
  }
  return { ...made, app, app_key, as, consumer }
}

interface Base {
  readonly node: Node
  readonly connection: Connection
  stop(): Promise<void>
}

async function openBase(surroundings: Surroundings): Promise<Base> {
  const { connection, drop } = await cloneDatabase()
  const node = await startNode(connection, surroundings)
  const stop = async () => {
    await node.stop()
    await drop()
  }
  return { node, connection, stop }
}

async function apiOn({ node, connection, stop }: Base, surroundings: Surroundings): Promise<TestApi> {
  const channel = await addChannel(node.url, node.database, 'One')
  const other = await addChannel(node.url, node.database, 'Other')
  return {
    ...node,
    connection,
    channel,
    other,
    as: channel.as,
    startNode: (others = surroundings) => startNode(connection, others),
    stop,
  }
}

/** Starts a server on a separate database with two channels, for tests that change or count data shared by channels. */
export async function startOwnApi(surroundings: Surroundings = {}): Promise<TestApi> {
  return apiOn(await openBase(surroundings), surroundings)
}

let shared: Promise<Base> | undefined

/** Creates two channels on the server that the test files of this process share. */
export async function startApi(): Promise<TestApi> {
  if (!shared) {
    shared = openBase({})
    atEnd(async () => (await shared)?.stop())
  }
  return apiOn({ ...(await shared), stop: async () => {} }, {})
}
