import type { Database, Db } from './database.js'
import { takeBack } from './moved.js'

/** Tables that the job queue keeps beside ours. */
const schemas = ['public', 'graphile_worker']

interface CopiedTable {
  /** With its schema, quoted. */
  readonly name: string
  /** The columns that are not computed, quoted. */
  readonly columns: string
  /** How many they are. */
  readonly width: number
}

export interface CopiedRows {
  readonly tables: number
  readonly rows: number
}

/**
 * Copies all rows and numbers of a database into another one, which has the same tables and no channel. Happens in one transaction: after
 * an error, or if the process is killed, nothing has been copied. The copy is not marked as moved. The caller makes sure that nobody writes to either.
 */
export async function copyDatabase(
  from: Database,
  to: Database,
  onTable: (name: string, rows: number) => void = () => {},
): Promise<CopiedRows> {
  const copied = await from.snapshot((source) =>
    to.transaction(async (target) => {
      for (const db of [source, target]) await db`set local statement_timeout = 0`
      const tables = await tablesIn(source)
      const references = await dropReferences(target)
      await target.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`)
      await addPartitions(source, target)
      await switchTriggers(target, 'disable')
      let rows = 0
      for (const table of tables) {
        const count = await copyRows(source, target, table)
        onTable(table.name, count)
        rows += count
      }
      await switchTriggers(target, 'enable')
      for (const reference of references) await target.unsafe(reference)
      await copySequences(source, target)
      await takeBack(target)
      return { tables: tables.length, rows }
    }),
  )
  await to.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`analyze`
  })
  return copied
}

const tablesIn = (db: Db) => db<CopiedTable[]>`
  select format('%I.%I', nspname, relname) as name, (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
  ) as columns, (
    select count(*)::integer from pg_attribute
    where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
  ) as width
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any(${schemas}) and relkind in ('r', 'p') and not relispartition
  order by nspname, relname
`

/** Rows arrive in the order of tables, so what refers to others is checked at the end. Returns the statements that do. */
async function dropReferences(target: Db): Promise<string[]> {
  const references = await target<{ name: string; tbl: string; definition: string }[]>`
    select quote_ident(conname) as name, conrelid::regclass::text as tbl, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text = any(${schemas})
  `
  for (const { name, tbl } of references) await target.unsafe(`alter table ${tbl} drop constraint ${name}`)
  return references.map(
    ({ name, tbl, definition }) => `alter table ${tbl} add constraint ${name} ${definition}`,
  )
}

/** Each day of events has a table of its own, and the other database was made on another day. */
async function addPartitions(source: Db, target: Db): Promise<void> {
  const partitionsIn = (db: Db) => db<{ name: string; parent: string; bound: string; options: string }[]>`
    select pg_class.oid::regclass::text as name, inhparent::regclass::text as parent,
      pg_get_expr(relpartbound, pg_class.oid) as bound, array_to_string(reloptions, ', ') as options
    from pg_class join pg_inherits on inhrelid = pg_class.oid where relispartition and relkind = 'r'
  `
  const existing = new Set((await partitionsIn(target)).map(({ name }) => name))
  for (const { name, parent, bound, options } of await partitionsIn(source))
    if (!existing.has(name))
      await target.unsafe(
        `create table ${name} partition of ${parent} ${bound}${options ? ` with (${options})` : ''}`,
      )
}

/** Triggers have done their work when the rows were written. */
async function switchTriggers(target: Db, how: 'disable' | 'enable'): Promise<void> {
  const tables = await target<{ name: string }[]>`
    select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal and tgparentid = 0
  `
  for (const { name } of tables) await target.unsafe(`alter table ${name} ${how} trigger user`)
}

/** Reads with a cursor and writes a page at a time, each value as the text that PostgreSQL sent. */
async function copyRows(source: Db, target: Db, { name, columns, width }: CopiedTable): Promise<number> {
  await source.unsafe(`declare copied no scroll cursor for select ${columns} from ${name}`)
  const pageSize = Math.min(mostRows, Math.floor(mostValues / width))
  const into = `insert into ${name} (${columns}) overriding system value values`
  for (;;) {
    const rows = await source.unsafe(`fetch ${pageSize} from copied`).raw()
    if (rows.length === 0) break
    await target.unsafe(`${into} ${places(rows.length, width)}`, rows.flat())
  }
  await source.unsafe('close copied')
  const [before, after] = await Promise.all([source, target].map((db) => countRows(db, name)))
  if (before !== after) throw new Error(`Of ${before} rows of ${name}, ${after} arrived.`)
  return after ?? 0
}

const mostRows = 500
/** PostgreSQL takes at most 65,535 values with a statement. */
const mostValues = 60_000

/** `($1, $2), ($3, $4)` for two rows of two values. */
const places = (rows: number, width: number): string =>
  Array.from(
    { length: rows },
    (_, row) =>
      `(${Array.from({ length: width }, (__, column) => `$${row * width + column + 1}`).join(', ')})`,
  ).join(', ')

async function countRows(db: Db, name: string): Promise<number> {
  const [row] = await db.unsafe<{ count: number }[]>(`select count(*)::float8 as count from ${name}`)
  return row?.count ?? 0
}

/** The numbers that are given next. The sequence of an identity column may have another name there. */
async function copySequences(source: Db, target: Db): Promise<void> {
  const sequences = await source<{ name: string; tbl: string | null; col: string | null }[]>`
    select format('%I.%I', nspname, relname) as name, refobjid::regclass::text as tbl, attname as col
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      left join pg_depend on classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')
        and refclassid = 'pg_class'::regclass and refobjsubid > 0
      left join pg_attribute on attrelid = refobjid and attnum = refobjsubid
    where relkind = 'S' and nspname = any(${schemas})
  `
  for (const { name, tbl, col } of sequences) {
    const [at] = await source.unsafe<{ last_value: string; is_called: boolean }[]>(
      `select last_value, is_called from ${name}`,
    )
    if (at)
      await target`
        select setval(
          coalesce(pg_get_serial_sequence(${tbl}, ${col}), ${name})::regclass, ${at.last_value}::bigint, ${at.is_called}
        )
      `
  }
}
