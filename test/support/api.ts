import { type Client, createClient } from '@zoetrope/sdk'
import { pino } from 'pino'
import { createApp } from '../../packages/server/src/app.js'
import { createChannel, type NewChannel } from '../../packages/server/src/auth/channels.js'
import { createPrincipals } from '../../packages/server/src/auth/principals.js'
import { type Database, openDatabase } from '../../packages/server/src/db/database.js'
import { createSealer } from '../../packages/server/src/lib/sealing.js'
import { openFreshness } from '../../packages/server/src/lists/freshness.js'
import { countJobs } from '../../packages/server/src/queue/worker.js'
import type { Parts } from '../../packages/server/src/resources/feature.js'
import { cloneDatabase } from './database.js'
import type { Connection } from './postgres.js'
import { xmlFetch } from './xml-fetch.js'

export type Format = 'json' | 'xml'
export const formats: readonly Format[] = ['json', 'xml']
export type Who = 'admin' | 'read_only' | 'player' | 'app'

export interface TestChannel extends NewChannel {
  readonly app_key: string
  /** A client that calls as one of the channel's credentials. */
  as(who: Who, format?: Format): Client
}

export interface TestApi {
  readonly url: string
  readonly database: Database
  readonly connection: Connection
  readonly parts: Parts
  readonly channel: TestChannel
  /** Another channel, whose records nobody here may see. */
  readonly other: TestChannel
  /** The first channel's client. */
  as(who: Who, format?: Format): Client
  /** One more server process's worth of server on the same database. */
  startNode(): Promise<Node>
  stop(): Promise<void>
}

interface Node {
  readonly url: string
  readonly parts: Parts
  readonly database: Database
  stop(): Promise<void>
}

const sealer = createSealer('a secret key for tests only, 32 characters and more')
/** Everything the servers under test log, for tests that look for secrets in it. */
export const logged: string[] = []

async function startNode(connection: Connection): Promise<Node> {
  const database = openDatabase({ connection, connections: 6 })
  const freshness = await openFreshness(database, () => {})
  const parts: Parts = { database, sealer, freshness, principals: createPrincipals(database.db, sealer) }
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) })
  const gauges = { connections: () => database.connections(), jobs: () => countJobs(database.db) }
  const app = await createApp({
    parts,
    gauges,
    log,
    apiUrl: 'http://127.0.0.1',
    version: 'test',
    answerBytes: 4_000_000,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    parts,
    database,
    async stop() {
      await app.close()
      freshness.close()
      await database.close()
    },
  }
}

async function addChannel(url: string, database: Database, title: string): Promise<TestChannel> {
  const made = await database.transaction((tx) => createChannel(tx, sealer, title))
  const { app_key } = await createClient({ url, apiKey: made.keys.admin }).apps.create({
    title: `${title} app`,
  })
  const as = (who: Who, format: Format = 'json') => {
    const credential = who === 'app' ? { appKey: app_key } : { apiKey: made.keys[who] }
    return createClient({ url, ...credential, retries: 0, ...(format === 'xml' ? { fetch: xmlFetch } : {}) })
  }
  return { ...made, app_key, as }
}

/** A real server on a real database of its own, with two channels. */
export async function startApi(): Promise<TestApi> {
  const { connection, drop } = await cloneDatabase()
  const node = await startNode(connection)
  const channel = await addChannel(node.url, node.database, 'One')
  const other = await addChannel(node.url, node.database, 'Other')
  return {
    ...node,
    connection,
    channel,
    other,
    as: channel.as,
    startNode: () => startNode(connection),
    async stop() {
      await node.stop()
      await drop()
    },
  }
}
