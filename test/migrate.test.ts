/** How a new or an earlier database gets its tables, functions, views and triggers. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { type Database, openDatabase } from '../packages/server/src/db/database.js'
import { migrate as migrateTo } from '../packages/server/src/db/migrate.js'
import { cloneDatabase } from './support/database.js'
import {
  createEarlierDatabase,
  createEmptyDatabase,
  dumps,
  earlier,
  type OwnDatabase,
} from './support/earlier-database.js'
import type { Connection } from './support/postgres.js'
import { catalogText } from './support/schema-text.js'

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

for (const madeBy of Object.keys(dumps) as (keyof typeof dumps)[])
  test(`a database of ${madeBy} gets the same schema as a new one, and keeps its rows`, async () => {
    await within(await createEarlierDatabase(server, madeBy), async (upgraded) => {
      await migrate(upgraded)
      assert.equal(await catalogText(upgraded.db), freshCatalog)
      assert.deepEqual(await migrationsOf(upgraded), await migrationsOf(fresh))
      const videos = await upgraded.db<{ title: string; record: string }[]>`
        update videos set updated_at = updated_at where active and deleted_at is null returning title, record
      `
      assert.deepEqual(videos.map(({ title }) => title).sort(), earlier.titles)
      for (const { title, record } of videos) assert.equal(JSON.parse(record).title, title)
    })
  })

test('the baseline changes nothing for a database of the last version before it', async () => {
  await within(
    await createEarlierDatabase(server, 'the last version before the baseline'),
    async (database) => {
      const count = async () => {
        const rows = await database.db<{ name: string; rows: string }[]>`
        select relname as name, (xpath('/row/c/text()', query_to_xml('select count(*) as c from ' || relname, true, true, '')))[1]::text as rows
        from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
          and relname not in ('migrations', 'applied_files') order by relname
      `
        return rows.map(({ name, rows: n }) => `${name} ${n}`)
      }
      const rows = await count()
      const applied = await migrate(database)
      const after = new Set(await count())
      assert.deepEqual(
        rows.filter((row) => !after.has(row)),
        [],
      )
      assert.deepEqual(
        applied.filter((name) => !/^(functions|triggers)\/|^views\.sql$|^migrations\/\d/.test(name)),
        [],
      )
      assert.deepEqual(await migrate(database), [])
    },
  )
})

test('a database from the middle of the old migrations is refused with the version to start first', async () => {
  await within(await createEarlierDatabase(server, 'the version before migration 0104'), async (database) => {
    await database.db`delete from migrations where name > '0100'`
    await assert.rejects(migrate(database), {
      message:
        'The database was made by an early development version of Zoetrope, and cannot be upgraded directly (it has 65 of the 67 migrations before 0104). Start the version of commit fe5fa4e once, then this one.',
    })
    assert.equal((await migrationsOf(database)).length, 65)
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

test('a database in which a newer version took something away is refused, and so is one of another line', async () => {
  await within(await createEmptyDatabase(server), async (database) => {
    await migrate(database)
    await database.db`insert into migrations (name) values ('9999_less.contract.sql')`
    await assert.rejects(migrate(database), /made by a newer Zoetrope \(it has 9999_less\.contract\.sql\)/)
    await database.db`update migrations set name = '9999_later.sql' where name = '9999_less.contract.sql'`
    const [last] = (await migrationsOf(database)).filter((name) => /^\d/.test(name) && name < '9999')
    await database.db`delete from migrations where name = ${last ?? ''}`
    await assert.rejects(migrate(database), /made by a newer Zoetrope \(it has 9999_later\.sql\)/)
  })
})

test('migrations that take something away say so in their names', async () => {
  const folder = new URL('../packages/server/src/db/migrations/', import.meta.url)
  const takesAway =
    /\bdrop\s+(table|column|function|view|trigger|type|index|schema)\b|\brename\b|\balter\s+column\s+\S+\s+(type|set\s+(data|not\s+null))\b/i
  // Before the first release no two versions ran side by side.
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name >= '0178')
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
      ['as_applied'],
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
