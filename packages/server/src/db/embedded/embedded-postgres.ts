import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binaries } from './binaries.js'
import { type Cluster, openCluster } from './cluster.js'
import { accepts, type Connection, createDatabase } from './connection.js'
import { superuser } from './create-cluster.js'
import { end, keepRunning } from './keep-running.js'
import { launchPostmaster, type Postmaster } from './postmaster.js'
import { readPostmasterFile } from './postmaster-file.js'
import type { OtherSettings } from './settings.js'
import { port } from './socket-folder.js'

export interface EmbeddedPostgres {
  /** Options for the driver; the host is the folder of the socket. */
  readonly connection: Connection
  /** True when this call made the cluster. */
  readonly created: boolean
  /** A fast shutdown; resolves when PostgreSQL has ended. */
  stop(): Promise<void>
}

interface Options {
  readonly folder: string
  readonly log: (line: string) => void
  /** What this one does otherwise than ours do, such as one that nobody needs after a crash. */
  readonly settings?: OtherSettings
  /** Another PostgreSQL than the one that npm installed. */
  readonly binaries?: Binaries
}

const database = 'zoetrope'

/**
 * Starts the PostgreSQL of the folder as a child and keeps it running: if it dies, it is started again.
 * The caller has claimed the folder, so a PostgreSQL found running there is an orphan and is stopped.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { folder, log, settings, binaries } = options
  const cluster = await openCluster(resolve(folder), binaries)
  const connection = { host: cluster.socketFolder, port, database, username: superuser }
  const launch = () => launchPostmaster(cluster, log, settings)
  const postmaster = await launchUntilReady(cluster, connection, launch)
  const { stop } = keepRunning(postmaster, launch, log)
  try {
    await createDatabase(connection)
  } catch (error) {
    await stop()
    throw error
  }
  return { connection, created: cluster.created, stop }
}

/** The connection of a PostgreSQL that another process runs on this folder right now. */
export async function findRunningPostgres(folder: string): Promise<Connection | undefined> {
  const running = await readPostmasterFile(resolve(folder))
  if (!running?.ready) return undefined
  const connection = { host: running.socketFolder, port: running.port, database, username: superuser }
  return (await accepts(connection)) ? connection : undefined
}

const patience = 15_000

/** What PostgreSQL says while the last processes of a killed one are still at work on the same files. */
const predecessorLives = /pre-existing shared memory|lock file .* already exists/

async function launchUntilReady(
  cluster: Cluster,
  connection: Connection,
  launch: () => Promise<Postmaster>,
): Promise<Postmaster> {
  const deadline = Date.now() + patience
  for (;;) {
    const postmaster = await launch()
    const ending = await endedBeforeReady(postmaster, cluster, connection)
    if (ending === undefined) return postmaster
    if (!predecessorLives.test(ending) || Date.now() > deadline)
      throw new Error(
        `Zoetrope's own PostgreSQL does not start in the folder ${cluster.folder}: mend what it says, or set DATABASE_URL to a PostgreSQL of your own. (${ending})`,
      )
    await delay(100)
  }
}

/** Waits as long as it takes: after a crash, PostgreSQL first repeats what its log holds. */
async function endedBeforeReady(
  postmaster: Postmaster,
  { folder }: Cluster,
  connection: Connection,
): Promise<string | undefined> {
  let ending: string | undefined
  const ended = postmaster.ended.then((how) => {
    ending = how
  })
  // PostgreSQL logs every connection that comes too early, so it is asked only when its file says `ready`.
  const isReady = async () => {
    const file = await readPostmasterFile(folder)
    return file?.ready && file.pid === postmaster.pid && accepts({ ...connection, database: 'postgres' })
  }
  try {
    while (ending === undefined && !(await isReady())) await Promise.race([ended, delay(20)])
  } catch (error) {
    await end(postmaster)
    throw error
  }
  return ending
}
