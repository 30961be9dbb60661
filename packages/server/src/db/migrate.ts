import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Database, Db } from './database.js'

// Beside the sources in both cases: the compiler leaves SQL where it is.
const folder = new URL('../../src/db/', import.meta.url)

/** The row in `migrations` of a database that has the tables of `schema/`. */
const baseline = 'baseline'

/** The migrations that `schema/` replaced. The later ones are still in `migrations/before-baseline/`. */
const replaced = { before: '0104', count: 67, lastCommit: 'fe5fa4e' }

interface SqlFile {
  /** The path below `db/`. */
  readonly name: string
  readonly text: string
}

type Apply = (files: readonly SqlFile[]) => Promise<void>

/**
 * Brings the database up to this version and returns the files that it applied: the baseline or the missing migrations,
 * then the functions, views and triggers that have changed, then the migrations that need these. Everything happens in
 * one transaction, which may be repeated after a deadlock; so no file can contain `create index concurrently`. A lock
 * lets one process do this at a time. `version` is ours. A database of a newer version is left as it is, and refused if
 * that version took away what this one needs.
 */
export async function migrate(
  database: Database,
  version: string,
  starting: (name: string) => void = () => {},
): Promise<string[]> {
  // Tables use these functions in generated columns; all others may use the tables.
  const values = await read('functions/values.sql')
  const others = (await readAll('functions')).filter(({ name }) => name !== values.name)
  const replaceable = [values, ...others, await read('views.sql'), ...(await readAll('triggers'))]
  return database.transaction(async (tx) => {
    const applied: string[] = []
    const apply: Apply = async (files) => {
      for (const { name, text } of files) {
        starting(name)
        await tx.unsafe(text).simple()
        applied.push(name)
      }
    }
    await prepare(tx)
    const changed = await changedFiles(tx, replaceable, version)
    if ((await isAhead(tx)) || changed === 'newer') return []
    await apply(changed.filter((file) => file === values))
    const hadBaseline = await bringBaseline(tx, apply)
    const missing = await missingMigrations(tx)
    await apply(missing.filter((file) => !isLate(file)))
    // A migration may have dropped what these files make.
    const again = hadBaseline && missing.length === 0 ? changed : replaceable
    await apply(again.filter((file) => file !== values))
    await apply(missing.filter(isLate))
    await noteMigrations(tx, missing)
    await noteFiles(tx, changed, version)
    return applied
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

const appliedIn = async (tx: Db) =>
  new Set((await tx<{ name: string }[]>`select name from migrations`).map(({ name }) => name))

/** Makes the tables of the baseline, or finishes the migrations that it replaced. Returns whether they were there. */
async function bringBaseline(tx: Db, apply: Apply): Promise<boolean> {
  const applied = await appliedIn(tx)
  if (applied.has(baseline)) return true
  const missing =
    applied.size === 0
      ? await readAll('schema')
      : missingBefore(applied, await readAll('migrations/before-baseline'))
  await apply(missing)
  await tx`delete from migrations`
  await tx`insert into migrations (name) values (${baseline})`
  return false
}

async function missingMigrations(tx: Db): Promise<SqlFile[]> {
  const applied = await appliedIn(tx)
  const migrations = await readAll('migrations')
  return migrations.filter((file) => !applied.has(titleOf(file)))
}

/**
 * Whether a newer version has migrated the database, and this one can work with it all the same: during an upgrade, servers
 * of both versions run. Throws if this version cannot.
 */
async function isAhead(tx: Db): Promise<boolean> {
  const applied = await appliedIn(tx)
  if (!applied.has(baseline)) return false
  const known = new Set([baseline, ...(await readAll('migrations')).map(titleOf)])
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.some(isContracting) || (unknown.length > 0 && [...known].some((name) => !applied.has(name))))
    throw new Error(madeByNewer(`it has ${unknown.join(', ')}`))
  return unknown.length > 0
}

/** Whether a migration takes away what versions before it use. */
const isContracting = (title: string) => title.endsWith('.contract.sql')

/** Whether a migration needs the functions and triggers of this version. */
const isLate = ({ name }: SqlFile) => /\.late\./.test(name)

async function noteMigrations(tx: Db, files: readonly SqlFile[]): Promise<void> {
  for (const file of files) await tx`insert into migrations (name) values (${titleOf(file)})`
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

/** What a database lacks that was made by the numbered migrations from before the baseline. */
function missingBefore(applied: ReadonlySet<string>, before: readonly SqlFile[]): SqlFile[] {
  const early = [...applied].filter((name) => name < replaced.before)
  refuseUnknown(new Set([...applied].filter((name) => !early.includes(name))), before.map(titleOf))
  if (early.length !== replaced.count)
    throw new Error(
      `The database was made by an early development version of Zoetrope, and cannot be upgraded directly (it has ${early.length} of the ${replaced.count} migrations before ${replaced.before}). Start the version of commit ${replaced.lastCommit} once, then this one.`,
    )
  return before.filter((file) => !applied.has(titleOf(file)))
}

function refuseUnknown(applied: ReadonlySet<string>, known: readonly string[]): void {
  const unknown = [...applied].filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(madeByNewer(`it has ${unknown.join(', ')}`))
}

const madeByNewer = (why: string) =>
  `The database was made by a newer Zoetrope (${why}). Start that version, or restore a backup.`

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

async function read(name: string): Promise<SqlFile> {
  return { name, text: await readFile(new URL(name, folder), 'utf8') }
}

/** The SQL files of a folder, in the order of their names. */
async function readAll(name: string): Promise<SqlFile[]> {
  const names = (await readdir(new URL(`${name}/`, folder))).filter((each) => each.endsWith('.sql')).sort()
  return Promise.all(names.map((each) => read(`${name}/${each}`)))
}
