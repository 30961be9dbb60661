import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, type Db, openDatabase } from './database.js'

let database: Database
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 1 })
  await database.db`create table kept (digest bytea, is_right boolean, facts jsonb, listed text[], at timestamptz, size integer)`
})
after(async () => {
  await database.close()
  await drop()
})

const given = {
  digest: Buffer.from([0, 1, 2, 255]),
  is_right: true,
  facts: { title: 'The "Horse"' },
  listed: ['a', 'b"c'],
  at: new Date(1000),
}

const write = () => database.db`
  insert into kept (digest, is_right, facts, listed, at, size)
  values (${given.digest}, ${given.is_right}, ${given.facts}, ${given.listed}, ${given.at}, 1)
  returning *
`

test('a prepared statement that PostgreSQL has lost is repeated with the same values', async () => {
  const [first] = await write()
  await database.db`deallocate all`.simple()
  const [second] = await write()

  assert.deepEqual(first, { ...given, size: 1 })
  assert.deepEqual(second, first)
})

test('so is one whose columns have changed since', async () => {
  await write()
  await database.db`alter table kept alter column size type smallint`
  const [row] = await write()

  assert.deepEqual(row, { ...given, size: 1 })
})

test('a transaction whose statements PostgreSQL has lost is carried out, once', async () => {
  await database.db`delete from kept`
  const add = () =>
    database.transaction(async (tx) => {
      await tx`insert into kept (digest) values (${given.digest})`
      await tx`update kept set is_right = ${true}`
    })
  await add()
  await database.db`deallocate all`.simple()
  await add()

  const rows = await database.db`select digest, is_right from kept`
  assert.deepEqual([...rows], Array(2).fill({ digest: given.digest, is_right: true }))
})

test('a statement that cannot be repeated fails with its first error', async () => {
  const read = (db: Db) => db`select size from kept where digest = ${given.digest} limit 1`
  let tries = 0
  await assert.rejects(
    database.transaction(async (tx) => {
      tries += 1
      await read(tx)
      await tx`alter table kept alter column size type text`
      await read(tx)
    }),
    { code: '0A000' },
  )
  assert.ok(tries > 1)
})
