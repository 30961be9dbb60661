import postgres from 'postgres'
import { codeOf } from './file-errors.js'

/** Options for the driver; the host is the folder of the socket. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
}

/** How a connection fails while PostgreSQL is absent, starting, stopping, or without our database as yet. */
const notYet = [
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'CONNECTION_CLOSED',
  'CONNECT_TIMEOUT',
  '57P03',
  '3D000',
]

export async function accepts(connection: Connection): Promise<boolean> {
  try {
    await once(connection, (sql) => sql`select`)
    return true
  } catch (error) {
    if (notYet.includes(codeOf(error))) return false
    throw error
  }
}

/** Makes the database of the connection unless it is there. */
export async function createDatabase({ database, ...server }: Connection): Promise<void> {
  await once({ ...server, database: 'postgres' }, async (sql) => {
    const [found] = await sql`select from pg_database where datname = ${database}`
    if (!found) await sql`create database ${sql(database)}`
  })
}

async function once(
  connection: Connection,
  work: (sql: postgres.Sql) => PromiseLike<unknown>,
): Promise<void> {
  const sql = postgres({ ...connection, max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
