import { Socket } from 'node:net'
import { Client, escapeIdentifier } from 'pg'
import { failedConnect } from '../connection-error.js'
import { endWithin } from '../link.js'
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
    await once(connection, (client) => client.query('select'))
    return true
  } catch (error) {
    if (notYet.includes(codeOf(error))) return false
    throw error
  }
}

/** Makes the database of the connection unless it is there. */
export async function createDatabase({ database, ...server }: Connection): Promise<void> {
  await once({ ...server, database: 'postgres' }, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(database)}`)
  })
}

async function once(
  { username, ...server }: Connection,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  const socket = new Socket()
  const client = new Client({
    ...server,
    user: username,
    connectionTimeoutMillis: 5000,
    stream: () => socket,
  })
  // Without a listener, a connection that is lost afterwards would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } catch (error) {
    throw failedConnect(error as Error)
  } finally {
    await endWithin(client, socket)
  }
}
