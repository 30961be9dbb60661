/** How a database gets its tables, functions, views and triggers, and how later versions change it. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Database, openDatabase } from '../packages/server/src/db/database.js'
import { migrate as migrateTo } from '../packages/server/src/db/migrate.js'
import { catalogText } from './support/catalog-text.js'
import { cloneDatabase } from './support/database.js'
import { createEmptyDatabase, type OwnDatabase } from './support/empty-database.js'
import type { Connection } from './support/postgres.js'

const migrate = (database: Database, version = '1.2.0') => migrateTo(database, version)

let server: Connection
let fresh: Database
let freshCatalog: string
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  server = clone.connection
  fresh = openDatabase({ connection: server, connections: 1 })
  freshCatalog = await catalogText(fresh.db)
})
after(async () => {
  await fresh.close()
  await drop()
})

/** Opens a database for the duration of the work. */
async function within(own: OwnDatabase, work: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase({ connection: own.connection, connections: 2 })
  try {
    await work(database)
  } finally {
    await database.close()
    await own.drop()
  }
}

const migrationsOf = async ({ db }: Database) =>
  (await db<{ name: string }[]>`select name from migrations order by name`).map(({ name }) => name)

const ownFolder = new URL('../packages/server/src/db/', import.meta.url)

/** Runs the work with a version that has more migrations: their texts by name. */
async function withMigrations(
  texts: Readonly<Record<string, string>>,
  work: (folder: URL) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-migrations-'))
  try {
    await cp(ownFolder, folder, { recursive: true })
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, 'migrations', name), text)
    await work(pathToFileURL(`${folder}/`))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

for (const name of ['baseline', '0104_text_bodies.sql'])
  test(`a database of a development version, with ${name}, is refused and left as it is`, async () => {
    await within(await createEmptyDatabase(server), async (database) => {
      await database.db`create table migrations (name text primary key, applied_at timestamptz not null default now())`
      await database.db`insert into migrations (name) values (${name})`
      await assert.rejects(migrate(database), {
        message:
          'The database was made by a development version of Zoetrope and cannot be upgraded. Start with an empty database.',
      })
      assert.deepEqual(await migrationsOf(database), [name])
    })
  })

test('migrations are applied once each by number, and late ones after the functions', async () => {
  const texts = {
    '9001_more.sql': 'create table more (seen_at text)',
    '9002_rows.late.sql': 'insert into more select iso(now()) from even_more',
    '9003_even_more.sql': 'create table even_more (); insert into even_more default values',
  }
  await withMigrations(texts, async (folder) => {
    await within(await createEmptyDatabase(server), async (database) => {
      await migrate(database)
      const applied = await migrateTo(database, '1.3.0', { folder })
      const [first, last] = [applied.slice(0, 3), applied.at(-1)]
      assert.deepEqual(first, [
        'functions/values.sql',
        'migrations/9001_more.sql',
        'migrations/9003_even_more.sql',
      ])
      assert.equal(last, 'migrations/9002_rows.late.sql')
      assert.ok(applied.includes('triggers/videos.sql'))
      assert.equal((await database.db`select from more`).length, 1)
      assert.deepEqual(await migrateTo(database, '1.3.0', { folder }), [])
      assert.deepEqual(await migrate(database), [], 'the version before uses the database as it is')
    })
  })
})

test('a new database gets the tables and the migrations in one go', async () => {
  await withMigrations({ '9001_more.sql': 'create table more ()' }, async (folder) => {
    await within(await createEmptyDatabase(server), async (database) => {
      const applied = await migrateTo(database, '1.3.0', { folder })
      assert.equal(applied[0], 'functions/values.sql')
      assert.ok(applied.indexOf('migrations/9001_more.sql') > applied.indexOf('schema/04-videos.sql'))
      assert.deepEqual(await migrationsOf(database), ['9001_more.sql', ...(await migrationsOf(fresh))])
      assert.deepEqual(await migrateTo(database, '1.3.0', { folder }), [])
    })
  })
})

test('a migration that fails leaves nothing of its version behind', async () => {
  const texts = { '9001_more.sql': 'create table more ()', '9002_wrong.sql': 'create table more ()' }
  await withMigrations(texts, async (folder) => {
    await within(await createEmptyDatabase(server), async (database) => {
      await migrate(database)
      await assert.rejects(migrateTo(database, '1.3.0', { folder }), /relation "more" already exists/)
      assert.deepEqual(await migrationsOf(database), await migrationsOf(fresh))
      assert.equal(await catalogText(database.db), freshCatalog)
    })
  })
})

test('after a migration that takes something away, the version before is refused', async () => {
  await withMigrations({ '9001_less.contract.sql': 'drop table known_words' }, async (folder) => {
    await within(await createEmptyDatabase(server), async (database) => {
      await migrate(database)
      await migrateTo(database, '1.3.0', { folder })
      await assert.rejects(migrate(database), /made by a newer Zoetrope \(it has 9001_less\.contract\.sql\)/)
    })
  })
})

test('a database that a newer version has extended is used as it is', async () => {
  await within(await createEmptyDatabase(server), async (database) => {
    await migrate(database)
    await database.db`insert into migrations (name) values ('9999_later.sql')`
    await database.db`update applied_files set sha256 = 'other', version = '1.3.0' where name = 'functions/videos.sql'`
    assert.deepEqual(await migrate(database), [])
    await database.db`delete from migrations where name = '9999_later.sql'`
    assert.deepEqual(await migrate(database), [], 'newer functions are not replaced by older ones')
    assert.deepEqual(await migrate(database, '1.10.0'), ['functions/videos.sql'])
  })
})

test('a database of another line of versions is refused', async () => {
  await withMigrations({ '9001_more.sql': 'create table more ()' }, async (folder) => {
    await within(await createEmptyDatabase(server), async (database) => {
      await migrate(database)
      await database.db`insert into migrations (name) values ('9002_later.sql')`
      await assert.rejects(
        migrateTo(database, '1.3.0', { folder }),
        /made by a newer Zoetrope \(it has 9002_later\.sql\)/,
      )
    })
  })
})

test('migrations that take something away say so in their names', async () => {
  const folder = new URL('migrations/', ownFolder)
  const takesAway =
    /\bdrop\s+(table|column|function|view|trigger|type|index|schema)\b|\brename\b|\balter\s+column\s+\S+\s+(type|set\s+(data|not\s+null))\b/i
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  for (const name of names) {
    const text = (await readFile(new URL(name, folder), 'utf8')).replace(/--.*$/gm, '')
    assert.equal(takesAway.test(text) && !name.endsWith('.contract.sql'), false, name)
  }
})

describe('functions, views and triggers', () => {
  test('are applied again when their file has changed, and only then', async () => {
    await within(await createEmptyDatabase(server), async (database) => {
      await migrate(database)
      assert.deepEqual(await migrate(database), [])
      await database.db`create or replace function iso(moment timestamptz) returns text language sql immutable parallel safe return 'changed'`
      await database.db`update applied_files set sha256 = 'other' where name = 'functions/values.sql'`
      assert.deepEqual(await migrate(database), ['functions/values.sql'])
      assert.equal(await catalogText(database.db), freshCatalog)
    })
  })

  test('exist once: a function whose arguments have changed leaves no old one behind', async () => {
    const rows = await fresh.db<{ name: string }[]>`
      select proname as name from pg_proc where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e')
      group by proname having count(*) > 1
    `
    assert.deepEqual(
      rows.map(({ name }) => name),
      [],
    )
  })
})

test('processes that start at once bring a new database up to date together', async () => {
  const own = await createEmptyDatabase(server)
  const other = openDatabase({ connection: own.connection, connections: 1 })
  await within(own, async (database) => {
    const outcomes = await Promise.all([migrate(database), migrate(other), migrate(database)])
    await other.close()
    assert.deepEqual(outcomes.map((applied) => applied.length > 0).sort(), [false, false, true])
    assert.equal(await catalogText(database.db), freshCatalog)
  })
})
