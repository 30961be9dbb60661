/** A database moves to another PostgreSQL server by `zoetrope database copy`, and nothing is lost. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { copyDatabase } from '../../packages/server/src/db/copy-database.js'
import { type Database, type Db, openDatabase } from '../../packages/server/src/db/database.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { cloneDatabase } from '../support/database.js'
import { until } from '../support/patience.js'
import type { Connection } from '../support/postgres.js'
import { launch, makeGround, readCredentials, runCommand, startServer } from '../support/server-process.js'
import { openDoor } from '../support/tcp-door.js'

let api: TestApi
let target: Database
let clone: Awaited<ReturnType<typeof cloneDatabase>>
before(async () => {
  api = await startOwnApi()
  clone = await cloneDatabase()
  target = openDatabase({ connection: clone.connection, connections: 2 })
})
after(async () => {
  await target.close()
  await clone.drop()
  await api.stop()
})

/** A digest of the rows of each table, and what the tables are made of. */
async function contentsOf(db: Db) {
  const tables = await db<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'graphile_worker') order by 1
  `
  const rows: Record<string, string> = {}
  // The server of this test goes on noting requests, and that it is there.
  for (const { name } of tables.filter(
    ({ name }) => !/^(request_log|storage_users|library_lease)$/.test(name),
  )) {
    const [{ digest } = { digest: '' }] = await db.unsafe<{ digest: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as digest from ${name} t`,
    )
    rows[name] = digest
  }
  const triggers = await db`
    select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal order by 1, 2
  `
  const references = await db`
    select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint
    where contype = 'f' order by 1, 2
  `
  const numbers = await db`
    select schemaname, sequencename, last_value from pg_sequences order by 1, 2
  `
  return { rows, triggers: [...triggers], references: [...references], numbers: [...numbers] }
}

test('every row, number, trigger and reference of a database is the same in its copy', async () => {
  const client = api.as('admin')
  const film = await client.videos.create({
    title: 'Umlaute äöü, "quotes", \\ and\ttabs',
    keywords: ['a', 'b'],
  })
  const other = await client.videos.create({ title: 'Other', custom_attributes: { line: 'one\ntwo' } })
  await client.videos.update(film._id, { enable_at: new Date('2030-01-01') })
  await client.videos.remove(other._id)
  await client.categories.create({ title: 'Genre', values: ['Drama'] })
  await client.playlists.create({ title: 'List' })
  await api.channel.consumer()
  const { db } = api.database
  await db`create table events_old partition of events for values from ('2001-01-01') to ('2001-01-02')`

  // Otherwise the server of this test may do it between the copy and the comparison.
  await db`select fold_list_changes(10_000)`

  const counts = await copyDatabase(api.database, target)
  const [original, copy] = [await contentsOf(db), await contentsOf(target.db)]
  assert.ok(counts.rows > 50 && counts.tables > 90, JSON.stringify(counts))
  assert.ok(original.references.length > 50 && original.triggers.length > 50)
  assert.deepEqual(copy, original)
})

/** Kills the command while it copies. A lock on a table of the target makes it wait. */
async function killDuringCopy(env: Readonly<Record<string, string>>, target: Connection): Promise<void> {
  const migrated = await runCommand(['migrate'], { ...env, DATABASE_URL: env.TO_DATABASE_URL ?? '' })
  assert.equal(migrated.code, 0, migrated.stderr)
  const sql = postgres({ ...target, max: 2, onnotice: () => {} })
  await sql.begin(async (tx) => {
    await tx`lock table storage_moves in access exclusive mode`
    const killed = launch(['database', 'copy'], env)
    await until('the copy waits', async () => (await sql`select from pg_locks where not granted`).length > 0)
    killed.signal('SIGKILL')
    await killed.ended
  })
  await sql.end()
}

test('a server goes on with its copied database, which is refused while it could miss something', async () => {
  const ground = await makeGround()
  const server = JSON.parse(process.env.TEST_POSTGRES ?? '') as Connection
  const database = `copied_${randomBytes(6).toString('hex')}`
  const admin = postgres({ ...server, max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${database}`)
  const door = await openDoor({ ...server, database })
  const to = door.url
  const withTarget = { ...ground.env, TO_DATABASE_URL: to }
  const copy = () => runCommand(['database', 'copy'], withTarget)
  try {
    const first = await startServer({ ...ground.env, WORKERS: '0' })
    const { keys } = await readCredentials(ground.env)
    const headers = { 'x-api-key': keys.admin, 'content-type': 'application/json' }
    const create = async (url: string, title: string) => {
      const reply = await fetch(`${url}/videos`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ video: { title } }),
      })
      assert.equal(reply.status, 201, await reply.clone().text())
    }
    const titles = async (url: string) => {
      const { response } = await (await fetch(`${url}/videos?sort=title`, { headers })).json()
      return response.map(({ title }: { title: string }) => title)
    }
    await create(first.url, 'Before')
    const early = await copy()
    assert.equal(early.code, 1)
    assert.match(early.stderr, /of Zoetrope still uses? the database\. Stop all servers and workers/)
    await create(first.url, 'Between')
    await first.stop()

    await killDuringCopy(withTarget, { ...server, database })
    const interrupted = await runCommand(['start'], ground.env)
    assert.equal(interrupted.code, 1)
    assert.match(
      interrupted.stderr,
      /^This database was copied to 127\.0\.0\.1:\d+\/copied_\w+ on .* UTC\. .*`zoetrope database take-back`\.\n$/,
    )
    const undone = await runCommand(['database', 'take-back'], ground.env)
    assert.match(undone.stdout, /^This database can be used again\. /)

    const done = await copy()
    assert.equal(done.code, 0, done.stderr)
    assert.match(done.stdout, /^Copied \d+ rows of \d+ tables; both databases have the same number\.\n/)

    const second = await startServer({ ...ground.env, DATABASE_URL: to, WORKERS: '0' })
    assert.deepEqual(await titles(second.url), ['Before', 'Between'])
    await create(second.url, 'With the copy')
    assert.deepEqual(await titles(second.url), ['Before', 'Between', 'With the copy'])
    const { response: events } = await (await fetch(`${second.url}/events`, { headers })).json()
    assert.deepEqual(events.filter(({ type }: { type: string }) => type === 'video.created').length, 3)
    const { warnings } = await (await fetch(`${second.url}/readyz`)).json()
    assert.equal(warnings, undefined)
    await second.stop()

    const abandoned = await runCommand(['start'], ground.env)
    assert.equal(abandoned.code, 1)
    assert.match(abandoned.stderr, /^This database was copied to 127\.0\.0\.1:/)
    const again = await runCommand(['database', 'copy', '--to', to.replace('@', ':seen-by-all@')], ground.env)
    assert.equal(again.code, 1)
    assert.match(again.stdout, /^Everybody on this machine can read the password behind --to in the list/)
    assert.match(again.stderr, /^This database was copied to the new one already/)
    const elsewhere = await runCommand(['database', 'copy'], { ...ground.env, TO_DATABASE_URL: `${to}_2` })
    assert.match(elsewhere.stderr, /^This database was copied to 127\.0\.0\.1:\d+\/copied_\w+ on /)
    assert.equal((await runCommand(['channel', 'list'], ground.env)).code, 1)
    await runCommand(['database', 'take-back'], ground.env)
    assert.equal((await runCommand(['channel', 'list'], ground.env)).code, 0)
  } finally {
    await door.close()
    await admin.unsafe(`drop database ${database} with (force)`)
    await admin.end()
    await ground.remove()
  }
})
