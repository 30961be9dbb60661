import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import postgres from 'postgres'
import type { Connection } from './postgres.js'
import { note } from './secrets.js'

/** The contents of each database when it was dumped. */
export const earlier = {
  secretKey: 'the secret key of a database that an earlier version made',
  consumer: { email: 'viewer@example.com', password: 'a password of an earlier version' },
  titles: ['A Trip to the Moon', 'The Horse in Motion'],
}
note(earlier.secretKey)
note(earlier.consumer.password)

/** Database dumps, by the version that created them. */
export const dumps = {
  'the version before migration 0104': 'before-0104.sql.gz',
  'the last version before the baseline': 'before-baseline.sql.gz',
} as const

export interface OwnDatabase {
  readonly connection: Connection
  drop(): Promise<void>
}

/** Creates an empty database on a server. */
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

/** Restores a database of an earlier version from its dump. */
export async function createEarlierDatabase(
  server: Connection,
  madeBy: keyof typeof dumps,
): Promise<OwnDatabase> {
  const own = await createEmptyDatabase(server)
  const sql = postgres({ ...own.connection, max: 1, onnotice: () => {} })
  const dump = await readFile(new URL(`dumps/${dumps[madeBy]}`, import.meta.url))
  await sql.unsafe(gunzipSync(dump).toString()).simple()
  await sql.end()
  return own
}
