import { readdir, readFile } from 'node:fs/promises'
import type { Db } from '../../packages/server/src/db/database.js'

const folder = new URL('../../packages/server/src/db/', import.meta.url)

/** The file that holds the text. It shows reviewers what a migration does to the whole schema. */
export const schemaFile = new URL('schema.sql', folder)

const head =
  '-- The whole schema: tables as the database has them, then functions, views and triggers as written.\n-- `npm run dump-schema` writes this file. Do not edit it.\n'

interface Line {
  readonly text: string
}

const joined = (rows: readonly Line[], between = '\n') => rows.map(({ text }) => text).join(between)
const together = (parts: readonly string[], between: string) =>
  parts.filter((part) => part !== '').join(between)

/** Returns the schema `public` for readers, the same on every machine and every version of PostgreSQL. */
export async function schemaText(db: Db): Promise<string> {
  const parts = [await extensions(db), await types(db), await sequences(db), ...(await tables(db, firing))]
  return `${head}\n${together(parts, '\n\n')}\n\n${await writtenFiles()}`
}

/** Returns the schema `public` exactly as PostgreSQL spells it, to compare two databases on one server. */
export async function catalogText(db: Db): Promise<string> {
  const parts = [
    await extensions(db),
    await types(db),
    await sequences(db),
    ...(await tables(db, definitions)),
    await views(db),
    await functions(db),
    await comments(db),
    await rights(db),
  ]
  return together(parts, '\n\n')
}

/** Returns the files that are reapplied when they change, in the order of application. */
async function writtenFiles(): Promise<string> {
  const named = async (name: string) =>
    (await readdir(new URL(`${name}/`, folder))).sort().map((each) => `${name}/${each}`)
  const written = [...(await named('functions')), 'views.sql', ...(await named('triggers'))]
  const names = [...written, ...(await named('generated'))]
  const texts = await Promise.all(
    names.map(async (name) => `-- ${name}\n\n${await readFile(new URL(name, folder), 'utf8')}`),
  )
  return texts.join('\n')
}

async function extensions(db: Db): Promise<string> {
  return joined(
    await db<Line[]>`
    select format('create extension %I;', extname) as text from pg_extension where extname <> 'plpgsql' order by extname
  `,
  )
}

async function types(db: Db): Promise<string> {
  return joined(
    await db<Line[]>`
    select format(E'create type %I as (\n%s\n);', relname, string_agg(
      '  ' || quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), E',\n' order by attnum
    )) as text
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind = 'c' group by relname order by relname
  `,
  )
}

/** Sequences of identity columns are shown with their columns. */
async function sequences(db: Db): Promise<string> {
  return joined(
    await db<Line[]>`
    select format('create sequence %I start %s increment %s minvalue %s maxvalue %s cache %s%s;', relname, seqstart, seqincrement,
      seqmin, seqmax, seqcache, case when seqcycle then ' cycle' else '' end) as text
    from pg_sequence join pg_class on pg_class.oid = seqrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = seqrelid and classid = 'pg_class'::regclass and deptype = 'i')
    order by relname
  `,
  )
}

/** Lines of text by table. */
type ByTable = (db: Db) => Promise<Map<string, string[]>>

const grouped = (rows: readonly (Line & { table: string })[]): Map<string, string[]> => {
  const lines = new Map<string, string[]>()
  for (const { table, text } of rows) lines.set(table, [...(lines.get(table) ?? []), text])
  return lines
}

async function tables(db: Db, triggersOf: ByTable): Promise<string[]> {
  const names = await db<{ name: string; kind: string; options: string }[]>`
    select relname as name, case relpersistence when 'u' then 'unlogged ' else '' end as kind,
      coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '')
        || coalesce(' partition by ' || pg_get_partkeydef(oid), '') as options
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname
  `
  const [column, constraint, index, trigger] = [
    await columns(db),
    await constraints(db),
    await indexes(db),
    await triggersOf(db),
  ]
  return names.map(({ name, kind, options }) => {
    const inside = [...(column.get(name) ?? []), ...(constraint.get(name) ?? [])].join(',\n')
    const table = `create ${kind}table ${name} (\n${inside}\n)${options};`
    const [own = '', fired = ''] = [index.get(name)?.join('\n'), trigger.get(name)?.join('\n')]
    return together([table, own, fired], '\n\n')
  })
}

const columns: ByTable = async (db) =>
  grouped(
    await db`
    select relname as table, '  ' || quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
      || case when attcollation <> 0 and attcollation <> typcollation
              then ' collate ' || quote_ident(collname) else '' end
      || case when attnotnull then ' not null' else '' end
      || case when attidentity = 'a' then ' generated always as identity'
              when attidentity = 'd' then ' generated by default as identity'
              when attgenerated = 's' then ' generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
              when attgenerated = 'v' then ' generated always as (' || pg_get_expr(adbin, adrelid) || ') virtual'
              when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid) else '' end as text
    from pg_attribute
    join pg_class on pg_class.oid = attrelid and relkind in ('r', 'p')
    join pg_type on pg_type.oid = atttypid
    left join pg_collation on pg_collation.oid = attcollation
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped order by attnum
  `,
  )

/** Not-null constraints are shown with their columns. */
const constraints: ByTable = async (db) =>
  grouped(
    await db`
    select relname as table, format('  constraint %I %s', conname, pg_get_constraintdef(pg_constraint.oid)) as text
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where relnamespace = 'public'::regnamespace and contype <> 'n'
    order by array_position('{p,u,f,c}', contype::text), conname
  `,
  )

const indexes: ByTable = async (db) =>
  grouped(
    await db`
    select relname as table, pg_get_indexdef(indexrelid) || ';' as text
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    order by indexrelid::regclass::text
  `,
  )

/** Returns when each trigger fires, in firing order. The bits of tgtype are from PostgreSQL's pg_trigger.h. */
const firing: ByTable = async (db) =>
  grouped(
    await db`
    select relname as table, format('-- trigger %s: %s %s, each %s, %s()', tgname,
      case when tgtype & 2 > 0 then 'before' else 'after' end,
      concat_ws(' or ', case when tgtype & 4 > 0 then 'insert' end, case when tgtype & 16 > 0 then 'update' end,
        case when tgtype & 8 > 0 then 'delete' end),
      case when tgtype & 1 > 0 then 'row' else 'statement' end, proname) as text
    from pg_trigger join pg_proc on pg_proc.oid = tgfoid join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal
    order by tgtype & 2 desc, tgtype & 1 desc, tgname
  `,
  )

const definitions: ByTable = async (db) =>
  grouped(
    await db`
    select relname as table, pg_get_triggerdef(pg_trigger.oid) || ';' as text
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal order by tgname
  `,
  )

async function views(db: Db): Promise<string> {
  const rows = await db<Line[]>`
    select format(E'create view %I as\n%s', relname, pg_get_viewdef(pg_class.oid)) as text from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname
  `
  return joined(rows, '\n\n')
}

async function functions(db: Db): Promise<string> {
  const rows = await db<Line[]>`
    select rtrim(pg_get_functiondef(p.oid), E'\n') || ';' as text from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = p.oid and classid = 'pg_proc'::regclass and deptype = 'e')
    order by proname, pg_get_function_identity_arguments(p.oid)
  `
  return joined(rows, '\n\n')
}

async function comments(db: Db): Promise<string> {
  return joined(
    await db<Line[]>`
    select format('comment on %s is %L;', pg_describe_object(classoid, objoid, objsubid), description) as text
    from pg_description
    where (classoid = 'pg_class'::regclass and objoid in (select oid from pg_class where relnamespace = 'public'::regnamespace))
      or (classoid = 'pg_proc'::regclass and objoid in (
        select oid from pg_proc p where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      ))
    order by 1
  `,
  )
}

/** Row security and granted privileges. There are none so far. */
async function rights(db: Db): Promise<string> {
  return joined(
    await db<Line[]>`
    select format('%I: row security %s, rights %s', relname, relrowsecurity, relacl) as text from pg_class
    where relnamespace = 'public'::regnamespace and (relrowsecurity or relacl is not null) order by relname
  `,
  )
}
