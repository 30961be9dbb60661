import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { type Connection, template } from './postgres.js'

/** Clones the migrated template into a new database for a test file. */
export async function cloneDatabase(): Promise<{ connection: Connection; drop(): Promise<void> }> {
  if (!process.env.TEST_POSTGRES)
    throw new Error('Run tests with `npm test -- <file>`: it starts PostgreSQL for them.')
  const server = JSON.parse(process.env.TEST_POSTGRES) as Connection
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = postgres({ ...server, max: 1, onnotice: () => {} })
  // Cloning a template fails while another clone of it is being made, so clones take turns.
  await admin`select pg_advisory_lock(hashtext('clone'))`
  await admin.unsafe(`create database ${name} template ${template}`)
  await admin.end()
  return {
    connection: { ...server, database: name },
    async drop() {
      const ending = postgres({ ...server, max: 1, onnotice: () => {} })
      await ending.unsafe(`drop database ${name} with (force)`)
      await ending.end()
    },
  }
}
