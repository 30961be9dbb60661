import { join } from 'node:path'
import { checkSecretKey } from './auth/first-run.js'
import { type Config, StartError } from './config/config.js'
import { checkServer, isEmpty } from './db/check-server.js'
import { type Database, type DatabaseOptions, openDatabase } from './db/database.js'
import { databaseTrouble } from './db/database-trouble.js'
import { findRunningPostgres, startEmbeddedPostgres } from './db/embedded/embedded-postgres.js'
import { migrate } from './db/migrate.js'
import { whyMoved } from './db/moved.js'
import { storedSecretKey } from './installation/files.js'
import { createSealer, type Sealer } from './lib/sealing.js'
import { migrateQueue } from './queue/worker.js'
import { version } from './version.js'

/** What every command needs: the migrated database, and the keys to its secrets. */
export interface Platform {
  readonly database: Database
  readonly connectionUrl: string
  readonly sealer: Sealer
  close(): Promise<void>
}

export interface PlatformOptions {
  /** Called before tables are made in an empty database. Throws if it is the wrong one. */
  readonly beforeNew?: () => Promise<void>
  /** Opens the database also if it was copied to another one. */
  readonly takesMoved?: boolean
}

type ConnectionOptions = DatabaseOptions['connection']
interface Served {
  readonly connection: ConnectionOptions
  stop(): Promise<void>
}

/** Opens everything. Without DATABASE_URL, the caller must have claimed DATA_DIR. */
export async function openPlatform(
  config: Config,
  log: (line: string) => void,
  options: PlatformOptions = {},
): Promise<Platform> {
  const sealer = createSealer(config.secretKey ?? (await storedSecretKey(config.dataDir)))
  const served = await serveDatabase(config, log)
  try {
    return await openWith(config, sealer, served, options)
  } catch (error) {
    await served.stop()
    throw error
  }
}

const clusterFolder = ({ dataDir }: Config) => join(dataDir, 'postgres')

async function serveDatabase(config: Config, log: (line: string) => void): Promise<Served> {
  if (config.databaseUrl) return { connection: config.databaseUrl, stop: async () => {} }
  return startEmbeddedPostgres({ folder: clusterFolder(config), log }).catch((error) => {
    throw startError(error, 'start')
  })
}

/** The same on the PostgreSQL of a running server, which is left running. */
export async function joinPlatform(
  config: Config,
  options: PlatformOptions = {},
): Promise<Platform | undefined> {
  const connection = config.databaseUrl ?? (await findRunningPostgres(clusterFolder(config)))
  if (!connection) return undefined
  const sealer = createSealer(config.secretKey ?? (await storedSecretKey(config.dataDir)))
  return openWith(config, sealer, { connection, stop: async () => {} }, options)
}

async function openWith(
  config: Config,
  sealer: Sealer,
  { connection, stop }: Served,
  { beforeNew = async () => {}, takesMoved = false }: PlatformOptions,
): Promise<Platform> {
  const database = openDatabase({ connection, connections: config.databaseConnections })
  const connectionUrl = typeof connection === 'string' ? connection : urlOf(connection)
  let doing = 'accept the connection'
  try {
    await checkServer(database, connection)
    doing = 'look at the tables'
    if (await isEmpty(database.db)) await beforeNew()
    doing = 'look at the migrations'
    await migrate(database, version, {
      starting: (name) => {
        doing = `apply ${name}`
      },
    })
    doing = 'make the tables of the job queue'
    await migrateQueue(connectionUrl)
    doing = 'compare the secret key'
    if (!(await checkSecretKey(database.db, sealer)))
      throw new StartError([
        'SECRET_KEY is not the one this database was made with; its keys and secrets cannot be read with another. Use the former one.',
      ])
    const moved = takesMoved ? undefined : await whyMoved(database.db)
    if (moved) throw new StartError([moved])
  } catch (error) {
    await database.close()
    throw startError(error, doing)
  }
  return {
    database,
    connectionUrl,
    sealer,
    async close() {
      await database.close()
      await stop()
    },
  }
}

const urlOf = ({ host, port, database, username }: Exclude<ConnectionOptions, string>) =>
  `postgres://${username}@${encodeURIComponent(host)}:${port}/${database}`

/** An unusable database is a configuration problem, explained in a sentence. */
function startError(error: unknown, doing: string): unknown {
  const trouble = databaseTrouble(error, doing)
  if (trouble !== undefined) return new StartError([trouble])
  // A plain Error is a message written for an operator; anything else is a fault.
  if (error instanceof Error && error.constructor === Error && !('code' in error))
    return new StartError([error.message])
  return error
}
