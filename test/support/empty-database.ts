import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import type { Connection } from './postgres.js'

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
