import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { migrate } from '../../packages/server/src/db/migrate.js'
import { migrateQueue } from '../../packages/server/src/queue/worker.js'
import { version } from '../../packages/server/src/version.js'

export interface Connection {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
}

export const template = 'zoetrope_template'

export const urlOf = ({ host, port, database, username }: Connection) =>
  `postgres://${username}@${encodeURIComponent(host)}:${port}/${database}`

/** Settings for a PostgreSQL that is deleted after the run. Durability (fsync) would take a third of the time. */
export const forgetful = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_wal_size: '1GB',
}

/** Several files run at the same time, and each may start a few servers with two dozen connections each. */
const roomForAll = { max_connections: '400' }

/** Starts one PostgreSQL for the whole run, with a migrated database to clone. */
export async function startTestPostgres(log: (line: string) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-test-'))
  const { connection, stop } = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    log,
    settings: { ...forgetful, ...roomForAll },
  })
  const admin = postgres({ ...connection, max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${template}`)
  const database = openDatabase({ connection: { ...connection, database: template }, connections: 2 })
  await migrate(database, version)
  await migrateQueue(urlOf({ ...connection, database: template }))
  await database.close()
  await admin.end()
  return { folder, connection, stop }
}
