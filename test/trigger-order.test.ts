/**
 * PostgreSQL fires triggers of the same event in the order of their names. Where that order matters it is stated here,
 * so that a renamed or a new trigger cannot change it unnoticed. docs/schema.md says what each trigger does.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actingAs } from '../packages/server/src/db/acting-as.js'
import { type Database, openDatabase } from '../packages/server/src/db/database.js'
import { cloneDatabase } from './support/database.js'
import { readPage } from './support/markdown.js'

let database: Database
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 1 })
})
after(async () => {
  await database.close()
  await drop()
})

const bits = { insert: 4, delete: 8, update: 16 } as const

/** Returns the triggers that fire before each row is written, in order. */
async function beforeRow(table: string, event: keyof typeof bits): Promise<string[]> {
  const rows = await database.db<{ name: string }[]>`
    select tgname as name from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal and tgenabled = 'O'
      and tgtype & 3 = 3 and tgtype & ${bits[event]} > 0
    order by tgname
  `
  return rows.map(({ name }) => name)
}

test('before a video is inserted: its record, and nothing after it', async () => {
  assert.deepEqual(await beforeRow('videos', 'insert'), ['videos_written'])
})

test('before a video is updated: what its columns follow from, then its record', async () => {
  assert.deepEqual(await beforeRow('videos', 'update'), ['videos_sourced', 'videos_written'])
})

test('before a consumer is written: its record, and nothing after it', async () => {
  assert.deepEqual(await beforeRow('consumers', 'insert'), ['consumers_written'])
  assert.deepEqual(await beforeRow('consumers', 'update'), ['consumers_written'])
})

test('no other table has two triggers before the same write', async () => {
  const rows = await database.db<{ table: string }[]>`
    select tgrelid::regclass::text as table from pg_trigger join pg_class on pg_class.oid = tgrelid
    cross join unnest(array[4, 8, 16]) as event
    where relnamespace = 'public'::regnamespace and not tgisinternal and tgtype & 2 > 0 and tgtype & event > 0
    group by tgrelid, event, tgtype & 1 having count(*) > 1 order by 1
  `
  assert.deepEqual([...new Set(rows.map(({ table }) => table))], ['videos'])
})

test('what a video passes on to other tables comes after its own change in the history', async () => {
  const rows = await database.db<{ name: string }[]>`
    select tgname as name from pg_trigger where tgname in ('videos_history', 'videos_passed_on') order by tgname
  `
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['videos_history', 'videos_passed_on'],
  )
})

/** Returns the names in the columns `Trigger` of the tables of a page. */
function triggersIn(text: string): string[] {
  let column = -1
  return text.split('\n').flatMap((line) => {
    const cells = line.split('|')
    if (!line.startsWith('|')) column = -1
    else if (column === -1) column = cells.findIndex((cell) => cell.trim() === 'Trigger')
    else return [...(cells[column] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    return []
  })
}

test('docs/schema.md names every trigger, except those that only write the history of their table', async () => {
  const rows = await database.db<{ name: string }[]>`
    select tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal and tgname <> relname || '_history'
  `
  const { text } = await readPage('docs/schema.md')
  assert.deepEqual(triggersIn(text).sort(), rows.map(({ name }) => name).sort())
})

test('one write runs them in that order: version, record and status of a deleted video agree', async () => {
  const { db } = database
  const site_id = '0'.repeat(24)
  const row = { _id: '1'.repeat(24), site_id, title: 'A film', friendly_title: 'a-film' }
  await db`insert into channels (_id, title) values (${site_id}, 'One')`
  await db`insert into videos ${db(row as never)}`
  await actingAs(database, { name: 'admin' }).transaction(
    (tx) => tx`update videos set title = 'Another', deleted_at = now(), status = 'deleted'`,
  )
  const [video] = await db<{ status: string; record: string }[]>`select status, record from videos`
  const versions = () =>
    db<{ fields: string[]; caller: string | null; after: { title: string } }[]>`
      select fields, caller, after from video_versions order by number desc
    `
  assert.equal(video?.status, 'deleted')
  const record = JSON.parse(video?.record ?? '{}') as { status: string; title: string }
  assert.deepEqual([record.status, record.title], ['deleted', 'Another'])
  const [version] = await versions()
  assert.deepEqual(version?.fields, ['deleted_at', 'title'])
  assert.deepEqual([version?.caller, version?.after.title], ['admin', 'Another'])

  // The pool has one connection, as statements share one behind PgBouncer. It does not keep the author.
  await db`update videos set title = 'A third'`
  assert.deepEqual(
    (await versions()).map(({ caller }) => caller),
    [null, 'admin', null],
  )
})
