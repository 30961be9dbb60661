import { readdir, readFile } from 'node:fs/promises'
import type { Database, Db } from './database.js'

// Beside the sources in both cases: the compiler leaves SQL where it is.
const folder = new URL('../../src/db/migrations/', import.meta.url)

/** Applies the numbered files that are not applied yet, in one transaction, one process at a time. Returns their names. */
export async function migrate(
  database: Database,
  starting: (name: string) => void = () => {},
): Promise<string[]> {
  await database.db`set client_min_messages = warning`
  return database.transaction(async (tx) => {
    // A large table takes as long as it takes.
    await tx`set local statement_timeout = 0`
    await tx`select pg_advisory_xact_lock(hashtext('zoetrope migrations'))`
    await tx`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
    const applied = new Set(
      (await tx<{ name: string }[]>`select name from migrations`).map(({ name }) => name),
    )
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
    const unknown = [...applied].filter((name) => !names.includes(name))
    if (unknown.length > 0)
      throw new Error(
        `The database was made by a newer Zoetrope (it has ${unknown.join(', ')}). Start that version, or restore a backup.`,
      )
    const missing = names.filter((name) => !applied.has(name))
    for (const name of missing) {
      starting(name)
      await apply(tx, name)
    }
    return missing
  })
}

async function apply(tx: Db, name: string): Promise<void> {
  await tx.unsafe(await readFile(new URL(name, folder), 'utf8')).simple()
  await tx`insert into migrations (name) values (${name})`
}
