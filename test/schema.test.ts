import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  ancestorsOf,
  catalog,
  type Field,
  isShown,
  nullable,
  parentField,
  type Resource,
  shownFields,
  sortFields,
} from '@zoetrope/contract'
import { type Database, openDatabase } from '../packages/server/src/db/database.js'
import { renderExpression, sortExpression } from '../packages/server/src/resources/columns.js'
import { cloneDatabase } from './support/database.js'
import { privateColumns, privateTables } from './support/private-schema.js'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly fallback: string | null
  readonly generated: boolean
}

const everything: readonly Resource[] = Object.values(catalog)
/** Resources with a table. Derived records are built for each response. */
const resources = everything.filter(({ derived }) => !derived)
let database: Database
let drop: () => Promise<void>
let columns: readonly Column[]

before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 1 })
  columns = await database.db<Column[]>`
    select relname as table, attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required,
      case when attgenerated = '' then pg_get_expr(adbin, adrelid) end as fallback,
      attgenerated <> '' as generated
    from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
      and attnum > 0 and not attisdropped
  `
})
after(async () => {
  await database.close()
  await drop()
})

const columnOf = (resource: Resource, name: string) =>
  columns.find((column) => column.table === resource.plural && column.name === name)

function typeOf(field: Field): string {
  switch (field.kind) {
    case 'flag':
      return 'boolean'
    case 'integer':
      return field.max > 2_147_483_647 ? 'bigint' : 'integer'
    case 'number':
      return 'double precision'
    case 'money':
      return 'numeric'
    case 'choice':
      return typeof field.options[0] === 'number' ? 'smallint' : 'text'
    case 'timestamp':
      return 'timestamp(3) with time zone'
    case 'secret':
      return 'bytea'
    case 'list':
      return 'text[]'
    case 'map':
    case 'objects':
      return 'jsonb'
    default:
      return 'text'
  }
}

/** The default that the column must have; undefined if the definition does not determine it. */
function fallbackOf(field: Field): string | null | undefined {
  if (field.kind === 'list') return "'{}'::text[]"
  if (field.kind === 'map') return "'{}'::jsonb"
  if (field.kind === 'objects') return "'[]'::jsonb"
  const given = 'default' in field ? field.default : undefined
  if (given === undefined) return field.always || field.required ? undefined : null
  if (field.kind === 'timestamp') return 'now()'
  return typeof given === 'string' ? `'${given}'::text` : String(given)
}

function problemsOf(resource: Resource, name: string, field: Field): string[] {
  const column = columnOf(resource, name)
  const at = `${resource.plural}.${name}`
  if (!column) return [`${at} does not exist`]
  const fallback = fallbackOf(field)
  return [
    ...(column.type === typeOf(field) ? [] : [`${at} is ${column.type}, not ${typeOf(field)}`]),
    ...(column.required === !nullable(field)
      ? []
      : [`${at} should ${nullable(field) ? '' : 'not '}be nullable`]),
    ...(fallback === undefined || column.generated || column.fallback === fallback
      ? []
      : [`${at} defaults to ${column.fallback}, not ${fallback}`]),
  ]
}

/** Foreign keys without an index of their own: these tables have few rows at any time. */
const unindexed = [
  'authorization_codes (site_id, app_id)',
  'devices (site_id, device_category_id)',
  'event_queue (site_id)',
  'unwanted_tracks (site_id, source_id)',
]

test('every foreign key has an index, so that deleting a record reads no whole table', async () => {
  const rows = await database.db<{ key: string }[]>`
    select conrelid::regclass || ' ' || substring(pg_get_constraintdef(oid) from '\\(.*?\\)') as key from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select from pg_index
      cross join lateral (select (indkey::int2[])[0:cardinality(conkey) - 1] as first) as columns
      where indrelid = conrelid and first @> conkey and first <@ conkey
    )
    order by 1
  `
  assert.deepEqual(
    rows.map(({ key }) => key),
    unindexed,
  )
})

test('no function with a standard body uses a row type, because newer PostgreSQL would refuse to alter the table', async () => {
  const rows = await database.db<{ name: string }[]>`
    select distinct pg_proc.oid::regprocedure::text as name from pg_proc
    join pg_depend on pg_depend.classid = 'pg_proc'::regclass and objid = pg_proc.oid
      and refclassid = 'pg_type'::regclass
    join pg_type on pg_type.oid = refobjid and typtype = 'c'
    where pronamespace = 'public'::regnamespace and prosqlbody is not null
  `
  assert.deepEqual(
    rows.map(({ name }) => name),
    [],
  )
})

test('every field has a column of its type, its nullability and its default', () => {
  const problems = resources.flatMap((resource) =>
    Object.entries(resource.fields)
      .filter(([, field]) => isShown(field) && !field.derived)
      .flatMap(([name, field]) => problemsOf(resource, name, field)),
  )
  assert.deepEqual(problems, [])
})

test('write-only fields have no column', () => {
  const written = resources.flatMap((resource) =>
    Object.entries(resource.fields)
      .filter(([, field]) => !isShown(field))
      .map(([name]) => ({ resource, name })),
  )
  assert.ok(written.length > 1)
  for (const { resource, name } of written) assert.equal(columnOf(resource, name), undefined, name)
})

test('a derived resource has no table', () => {
  const derived = everything.filter((resource) => resource.derived)
  assert.ok(derived.length > 0)
  for (const { name, plural } of derived)
    assert.ok(!columns.some(({ table }) => table === plural || table === name), plural)
})

test('a nested resource references its parent record, and is removed with it', async () => {
  for (const resource of resources) {
    const { plural } = resource
    // A view has no keys, so a record nested in a derived one references the nearest ancestor with a table.
    const within = ancestorsOf(resource).find(({ derived }) => !derived)
    if (!within) continue
    const [key] = await database.db<{ action: string }[]>`
      select confdeltype as action from pg_constraint
      where conrelid = ${plural}::regclass and confrelid = ${within.plural}::regclass
        and pg_get_constraintdef(oid) like ${`FOREIGN KEY (site_id, ${parentField(within)}) %`}
    `
    assert.equal(key?.action, 'c', plural)
  }
})

test('every column and table that no definition names is private for a stated reason', () => {
  const tables = new Map(resources.map((resource) => [resource.plural, resource]))
  const unnamed = columns
    .filter(({ table, name }) => !Object.hasOwn(tables.get(table)?.fields ?? {}, name))
    .map(({ table, name }) => (tables.has(table) ? `${table}.${name}` : table))
  assert.deepEqual(
    [...new Set(unnamed)].sort(),
    [...Object.keys(privateColumns), ...Object.keys(privateTables)].sort(),
  )
})

test('a field that lists are sorted by is never null', () => {
  const perhapsNull = resources.flatMap((resource) =>
    [...new Set([...sortFields(resource), resource.order.sort])]
      .filter((name) => !columnOf(resource, name)?.required)
      .filter((name) => !sortExpression(resource, name).startsWith('coalesce('))
      .map((name) => `${resource.plural}.${name}`),
  )
  assert.deepEqual(perhapsNull, [])
})

test('a resource that keeps removed records has a column for the moment of removal', () => {
  for (const resource of resources.filter(({ keptDays }) => keptDays !== undefined))
    assert.equal(columnOf(resource, 'deleted_at')?.required, false)
})

test('a counted resource has the trigger that counts it', async () => {
  for (const { plural } of resources.filter(({ counted }) => counted)) {
    const rows = await database.db<{ name: string }[]>`
      select proname as name from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where tgrelid = ${plural}::regclass and proname like 'note_list_%' and tgenabled = 'O'
        and tgtype & 28 = 28 -- insert, update and delete
    `
    assert.deepEqual(
      rows.map(({ name }) => name.replace('_plain', '')),
      ['note_list_change'],
    )
  }
})

test('a resource with images has a trigger that deletes them with its records', async () => {
  const pictured = resources.filter(
    ({ fields }) => 'images_attributes' in fields || 'pictures_attributes' in fields,
  )
  const rows = await database.db<{ table: string }[]>`
    select tgrelid::regclass::text as table from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where prosrc like '%delete from image_files %' and tgtype & 8 = 8 and tgenabled = 'O' order by 1
  `
  assert.deepEqual(
    rows.map(({ table }) => table),
    pictured.map(({ plural }) => plural).sort(),
  )
})

test('generated columns are computed without a search path, as while a dump is restored', async () => {
  await database.transaction(async (tx) => {
    await tx`set local search_path = ''`
    const [row] = await tx<{ words: string }[]>`
      select public.search_words('A film', '{silent}', 'src-12')::text as words, public.words_of('A film')
    `
    assert.equal(row?.words, "'12':5 'a':1 'film':2 'silent':3 'src':4")
  })
})

test('the stored record of a video matches its definition after every write', async () => {
  const { db } = database
  const site = { site_id: '0'.repeat(24) }
  const fields = db([...shownFields(catalog.videos)])
  const fresh = () => db<{ kept: string; made: string }[]>`
    select (select record from videos) as kept, ${db.unsafe(renderExpression(catalog.videos))} as made
    from (select ${fields} from videos) as videos
  `
  await db`insert into channels (_id, title) values (${site.site_id}, 'One')`
  await db`insert into videos ${db({ ...site, _id: '1'.repeat(24), title: 'A "title"', friendly_title: 'a' } as never)}`
  const writes = [
    db`select 1`,
    db`update videos set keywords = '{a,b}', purchase_price = 4.90, episode = 1.5, enable_at = now(), custom_attributes = '{"a": [1]}'`,
    db`update videos set deleted_at = now(), status = 'deleted'`,
    db`update videos set deleted_at = null, status = 'created'`,
  ]
  for (const write of writes) {
    await write
    const [row] = await fresh()
    assert.equal(row?.kept, row?.made)
    assert.deepEqual(Object.keys(JSON.parse(row?.kept ?? '{}') as object), shownFields(catalog.videos))
  }
})

test('the stored record of a consumer matches its definition after every write', async () => {
  const { db } = database
  const row = { _id: '2'.repeat(24), site_id: '0'.repeat(24), email: 'a"b@example.com' }
  await db`insert into channels (_id, title) values (${row.site_id}, 'One') on conflict do nothing`
  const writes = [
    db`insert into consumers ${db(row as never)}`,
    db`update consumers set name = 'A', custom = '{"a": [1]}', current_sign_in_at = now(), sign_in_count = 2`,
  ]
  for (const write of writes) {
    await write
    const [kept] = await db<{ record: string; made: string }[]>`
      select record, ${db.unsafe(renderExpression(catalog.consumers))} as made from consumers
    `
    assert.equal(kept?.record, kept?.made)
    assert.deepEqual(Object.keys(JSON.parse(kept?.record ?? '{}') as object), shownFields(catalog.consumers))
  }
})
