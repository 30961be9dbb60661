import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import postgres from 'postgres'
import type { Connection } from './postgres.js'
import { note } from './secrets.js'

/** What was in the database when it was dumped. */
export const earlier = {
  secretKey: 'the secret key of a database that an earlier version made',
  consumer: { email: 'viewer@example.com', password: 'a password of an earlier version' },
  titles: ['A Trip to the Moon', 'The Horse in Motion'],
}
note(earlier.secretKey)
note(earlier.consumer.password)

const dump = new URL('earlier-database.sql.gz', import.meta.url)

export interface OwnDatabase {
  readonly connection: Connection
  drop(): Promise<void>
}

/** An empty database on a server. */
export async function createEmptyDatabase(server: Connection): Promise<OwnDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const ask = async (statement: string) => {
    const sql = postgres({ ...server, max: 1, onnotice: () => {} })
    await sql.unsafe(statement)
    await sql.end()
  }
  await ask(`create database ${name} template template0`)
  return {
    connection: { ...server, database: name },
    drop: () => ask(`drop database ${name} with (force)`),
  }
}

/** A database that the version before migration 0104 made, restored from its dump. */
export async function createEarlierDatabase(server: Connection): Promise<OwnDatabase> {
  const own = await createEmptyDatabase(server)
  const sql = postgres({ ...own.connection, max: 1, onnotice: () => {} })
  await sql.unsafe(gunzipSync(await readFile(dump)).toString()).simple()
  await sql.end()
  return own
}

/**
 * The text of a schema without what a dump spells differently when it is restored: parentheses in the conditions of
 * triggers, and the columns of a function that a view reads from.
 */
export const comparableSchema = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith('CREATE TRIGGER') ? line.replaceAll(/[()]/g, '') : line))
    .join('\n')
    .replaceAll(/(CROSS JOIN LATERAL \w+\([^()]*\) \w+)\([^()]*\)/g, '$1')
