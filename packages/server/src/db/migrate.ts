import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Database, Db } from './database.js'

// Beside the sources in both cases: the compiler leaves SQL where it is.
const ownFolder = new URL('../../src/db/', import.meta.url)

/** The functions that make the records in rows of videos and consumers. */
const records = 'generated/records.sql'

interface SqlFile {
  /** The path below `db/`. */
  readonly name: string
  readonly text: string
}

interface MigrateOptions {
  /** Called with the name of each file before it is applied. */
  readonly starting?: (name: string) => void
  /** The folder of the SQL files. Tests use one with migrations of their own. */
  readonly folder?: URL
}

/**
 * Brings the database up to this version and returns the files that it applied: the tables or the missing migrations,
 * then the functions, views and triggers that have changed, then the files that need these. Everything happens in
 * one transaction, which may be repeated after a deadlock; so no file can contain `create index concurrently`. A lock
 * lets one process do this at a time. `version` is ours. A database of a newer version is left as it is, and refused if
 * that version took away what this one needs.
 */
export async function migrate(
  database: Database,
  version: string,
  { starting = () => {}, folder = ownFolder }: MigrateOptions = {},
): Promise<string[]> {
  // Tables use these functions in generated columns; all others may use the tables.
  const values = await read(folder, 'functions/values.sql')
  const others = (await readAll(folder, 'functions')).filter(({ name }) => name !== values.name)
  const replaceable = [
    values,
    ...others,
    await read(folder, 'views.sql'),
    ...(await readAll(folder, 'triggers')),
    ...(await readAll(folder, 'generated')),
  ]
  const tables = await readAll(folder, 'schema')
  const migrations = await readAll(folder, 'migrations')
  return database.transaction(async (tx) => {
    const done: string[] = []
    const apply = async (files: readonly SqlFile[]) => {
      for (const { name, text } of files) {
        starting(name)
        await tx.unsafe(text).simple()
        done.push(name)
      }
    }
    await prepare(tx)
    const applied = await appliedIn(tx)
    const isNew = applied.size === 0
    const changed = await changedFiles(tx, replaceable, version)
    const baseline = baselineOf(tables)
    if (!isNew && (isAhead(applied, baseline, migrations.map(titleOf)) || changed === 'newer')) return []
    const missing = migrations.filter((file) => !applied.has(titleOf(file)))
    const once = isNew ? [...tables, ...missing] : missing
    // A migration may have dropped what these files make.
    const again = once.length === 0 && changed !== 'newer' ? changed : replaceable
    await apply(again.filter((file) => file === values))
    await apply(once.filter((file) => !isLate(file)))
    await apply(again.filter((file) => file !== values))
    await apply(once.filter(isLate))
    await writeRecords(tx, changed)
    await noteMigrations(tx, [...(isNew ? [baseline] : []), ...missing.map(titleOf)])
    await noteFiles(tx, again, version)
    return done
  })
}

async function prepare(tx: Db): Promise<void> {
  // Changing a large table may take long.
  await tx`set local statement_timeout = 0`
  await tx`select pg_advisory_xact_lock(hashtext('zoetrope migrations'))`
  await tx`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
  await tx`
    create table if not exists applied_files (
      name text primary key, sha256 text not null, version text not null, applied_at timestamptz not null default now()
    )
  `
}

/**
 * The row in `migrations` of a database that has these tables. They may change until the first release: databases that were
 * made with others are refused. Comments and blanks do not count.
 */
function baselineOf(tables: readonly SqlFile[]): string {
  const text = tables.map((file) => file.text.replace(/--.*$/gm, '').replace(/\s+/g, ' ')).join('')
  return `tables-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

const appliedIn = async (tx: Db) =>
  new Set((await tx<{ name: string }[]>`select name from migrations`).map(({ name }) => name))

/**
 * Whether a newer version has migrated the database, and this one can work with it all the same: during an upgrade, servers
 * of both versions run. Throws if this version cannot, and for a database of a development version.
 */
function isAhead(applied: ReadonlySet<string>, baseline: string, migrations: readonly string[]): boolean {
  if (!applied.has(baseline))
    throw new Error(
      'The database was made by a development version of Zoetrope and cannot be upgraded. Start with an empty database.',
    )
  const known = new Set([baseline, ...migrations])
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.some(isContracting) || (unknown.length > 0 && [...known].some((name) => !applied.has(name))))
    throw new Error(
      `The database was made by a newer Zoetrope (it has ${unknown.join(', ')}). Start that version, or restore a backup.`,
    )
  return unknown.length > 0
}

/** Whether a migration takes away what versions before it use. */
const isContracting = (title: string) => title.endsWith('.contract.sql')

/** Whether a file needs the functions and triggers of this version. */
const isLate = ({ name }: SqlFile) => /\.late\./.test(name)

/**
 * Records get their new fields if the functions that make them have changed. This reads every row of their tables, and
 * writes those whose record is another one now.
 */
async function writeRecords(tx: Db, changed: readonly SqlFile[] | 'newer'): Promise<void> {
  if (changed === 'newer' || !changed.some(({ name }) => name === records)) return
  await tx`select write_records_again()`
}

async function noteMigrations(tx: Db, names: readonly string[]): Promise<void> {
  for (const name of names) await tx`insert into migrations (name) values (${name})`
}

async function noteFiles(tx: Db, files: readonly SqlFile[], version: string): Promise<void> {
  for (const file of files) {
    const row = { name: file.name, sha256: digestOf(file), version }
    await tx`
      insert into applied_files ${tx(row)}
      on conflict (name) do update set sha256 = excluded.sha256, version = excluded.version, applied_at = now()
    `
  }
}

/** The files whose text is not what was applied last, or `newer`: an older version must not put its functions back. */
async function changedFiles(
  tx: Db,
  files: readonly SqlFile[],
  version: string,
): Promise<SqlFile[] | 'newer'> {
  const rows = await tx<{ name: string; sha256: string; version: string }[]>`
    select name, sha256, version from applied_files
  `
  const kept = new Map(rows.map((row) => [row.name, row]))
  const changed = files.filter((file) => kept.get(file.name)?.sha256 !== digestOf(file))
  const isNewer = ({ name }: SqlFile) =>
    (kept.get(name)?.version ?? version).localeCompare(version, 'en', { numeric: true }) > 0
  return changed.some(isNewer) ? 'newer' : changed
}

const digestOf = ({ text }: SqlFile) => createHash('sha256').update(text).digest('hex')

/** The name of a migration in its table, which has no folder. */
const titleOf = ({ name }: SqlFile) => name.slice(name.lastIndexOf('/') + 1)

async function read(folder: URL, name: string): Promise<SqlFile> {
  return { name, text: await readFile(new URL(name, folder), 'utf8') }
}

/** The SQL files of a folder, in the order of their names. */
async function readAll(folder: URL, name: string): Promise<SqlFile[]> {
  const names = (await readdir(new URL(`${name}/`, folder))).filter((each) => each.endsWith('.sql')).sort()
  return Promise.all(names.map((each) => read(folder, `${name}/${each}`)))
}
