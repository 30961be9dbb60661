import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { openCluster } from '../../packages/server/src/db/embedded/cluster.js'
import { accepts, createDatabase } from '../../packages/server/src/db/embedded/connection.js'
import { superuser } from '../../packages/server/src/db/embedded/create-cluster.js'
import { end } from '../../packages/server/src/db/embedded/keep-running.js'
import { launchPostmaster } from '../../packages/server/src/db/embedded/postmaster.js'
import { signalProcess } from '../../packages/server/src/db/embedded/processes.js'
import { port } from '../../packages/server/src/db/embedded/socket-folder.js'
import { until } from './patience.js'
import { type Connection, forgetful } from './postgres.js'
import { childrenOf } from './processes.js'

/** One of two PostgreSQL servers. */
export interface PostgresNode {
  readonly connection: Connection
  /** For questions of the test. */
  readonly sql: postgres.Sql
  /** Kills all its processes at once, as a machine that loses power does. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresPair {
  readonly primary: PostgresNode
  /** Receives every change of the primary by streaming replication, and can be read. */
  readonly standby: PostgresNode
  stop(): Promise<void>
}

const database = 'zoetrope'
const standbyName = 'standby'

async function startNode(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresNode> {
  const cluster = await openCluster(folder)
  const connection = { host: cluster.socketFolder, port, database, username: superuser }
  const postmaster = await launchPostmaster(cluster, () => {}, {
    ...forgetful,
    synchronous_commit: 'on',
    ...settings,
  })
  await until('PostgreSQL', () => accepts({ ...connection, database: 'postgres' }))
  const sql = postgres({ ...connection, max: 2, onnotice: () => {} })
  return {
    connection,
    sql,
    async kill() {
      const { pid = 0 } = postmaster
      const children = await childrenOf(pid)
      for (const each of [pid, ...children.map((child) => child.pid)]) signalProcess(each, 'SIGKILL')
      await postmaster.ended
      await sql.end({ timeout: 0 })
    },
    async stop() {
      await sql.end({ timeout: 0 })
      await end(postmaster)
    },
  }
}

/**
 * Starts a primary PostgreSQL and a standby that is a copy of it. If `isSynchronous`, a commit is acknowledged once the
 * standby has it.
 */
export async function startPair({ isSynchronous }: { isSynchronous: boolean }): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-pair-'))
  // Each socket is beside the folder of its cluster.
  const [first, second] = [join(folder, 'first', 'postgres'), join(folder, 'second', 'postgres')]
  const original = await startNode(first)
  await createDatabase(original.connection)
  await original.stop()
  await mkdir(join(folder, 'second'))
  await cp(first, second, { recursive: true })
  await writeFile(join(second, 'standby.signal'), '')
  const primary = await startNode(first, isSynchronous ? { synchronous_standby_names: standbyName } : {})
  const { host } = primary.connection
  const standby = await startNode(second, {
    primary_conninfo: `host=${host} port=${port} user=${superuser} application_name=${standbyName}`,
  })
  await until('the replication', async () => {
    const [row] = await primary.sql`
      select from pg_stat_replication where application_name = ${standbyName} and state = 'streaming'
    `
    return row !== undefined
  })
  return {
    primary,
    standby,
    async stop() {
      await standby.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
