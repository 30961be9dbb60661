import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { boundTo } from './bound-database.js'
import { type Database, type Db, openDatabase } from './database.js'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let other: Database
before(async () => {
  clone = await cloneDatabase()
  other = openDatabase({ connection: clone.connection, connections: 2 })
  await other.db`create table kept (name text primary key)`
})
after(async () => {
  await other.close()
  await clone.drop()
})
beforeEach(async () => {
  await other.db`truncate kept`
})

const kept = async () => (await other.db<{ name: string }[]>`select name from kept`).map(({ name }) => name)
const keep = (tx: Db, name: string) => tx`insert into kept values (${name})`

async function endSessionOf(tx: Db): Promise<void> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  await other.db`select pg_terminate_backend(${row?.pid ?? 0})`
}

function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}

/** Loses the connection of a transaction that then goes on with `late`, while another has begun on the same connection. */
async function withLost(late: (tx: Db, database: Database) => Promise<unknown>): Promise<unknown> {
  const database = openDatabase({ connection: clone.connection, connections: 1 })
  const next = signal()
  let outcome: Promise<unknown> | undefined
  const first = database.transaction(async (tx) => {
    await keep(tx, 'first')
    await endSessionOf(tx)
    await next.given
    outcome = late(tx, database)
    await outcome
  })
  await assert.rejects(first, { code: 'CONNECTION_CLOSED' })
  const second = database.transaction(async (tx) => {
    await keep(tx, 'second')
    next.give()
    // Long enough for everything the first would send.
    for (let turn = 0; turn < 20; turn += 1) await tx`select ${turn}::integer`
    throw new Error('undone')
  })
  await assert.rejects(second, /undone/)
  assert.deepEqual(await kept(), [])
  await database.transaction((tx) => keep(tx, 'third'))
  assert.deepEqual(await kept(), ['third'])
  await database.close()
  return outcome
}

test('a transaction that lost its connection ends without a word on the next', async () => {
  await withLost(async () => {})
})

test('a transaction that lost its connection writes nothing on the next', async () => {
  await assert.rejects(
    withLost(async (tx) => {
      await keep(tx, 'late')
    }),
    { code: 'CONNECTION_CLOSED' },
  )
})

test('nor does a savepoint in it', async () => {
  const late = async (tx: Db, database: Database) =>
    boundTo(database, tx).transaction(async (inner) => keep(inner, 'late'))
  await assert.rejects(withLost(late), { code: 'CONNECTION_CLOSED' })
})

test('a connection that is lost with a statement under way ends its transaction and its savepoints', async () => {
  const database = openDatabase({ connection: clone.connection, connections: 1 })
  const lost = database.transaction((tx) =>
    boundTo(database, tx).transaction(async (inner) => {
      await keep(inner, 'first')
      await inner`select pg_terminate_backend(pg_backend_pid())`
    }),
  )
  await assert.rejects(lost)
  await database.transaction((tx) => keep(tx, 'second'))
  assert.deepEqual(await kept(), ['second'])
  await database.close()
})

test('what is sent after the end of a transaction by those it did not wait for is refused', async () => {
  const next = signal()
  let late: Promise<unknown> = Promise.resolve()
  const failing = other.transaction(async (tx) => {
    await keep(tx, 'first')
    late = next.given.then(() => keep(tx, 'late'))
    throw new Error('undone')
  })
  await assert.rejects(failing, /undone/)
  next.give()
  await assert.rejects(late)
  assert.deepEqual(await kept(), [])
})

test('a savepoint is undone alone', async () => {
  await other.transaction(async (tx) => {
    await keep(tx, 'first')
    const inner = boundTo(other, tx).transaction(async (deeper) => {
      await keep(deeper, 'second')
      await keep(deeper, 'second')
    })
    await assert.rejects(inner, { code: '23505' })
    await keep(tx, 'third')
  })
  assert.deepEqual(await kept(), ['first', 'third'])
})
