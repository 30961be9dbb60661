import assert from 'node:assert/strict'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { gate } from '../../../../test/support/gate.js'
import { openDoor } from '../../../../test/support/tcp-door.js'
import { boundTo } from './bound-database.js'
import { type Database, type DatabaseOptions, type Db, openDatabase } from './database.js'

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

/** A database with one connection, so that every transaction uses the same. */
function openSingle(
  context: TestContext,
  connection: DatabaseOptions['connection'] = clone.connection,
): Database {
  const database = openDatabase({ connection, connections: 1 })
  context.after(() => database.close())
  return database
}

const kept = async () => (await other.db<{ name: string }[]>`select name from kept`).map(({ name }) => name)
const keep = async (tx: Db, name: string) => {
  await tx`insert into kept values (${name})`
}

async function sessionOf(tx: Db): Promise<number> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}
const endSession = (pid: number) => other.db`select pg_terminate_backend(${pid})`

/** All of them get their own answers, so nothing that was sent before is answered late. */
async function assertInStep(database: Database): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1)
    await database.transaction(async (tx) => {
      const [row] = await tx<{ turn: number }[]>`select ${turn}::integer as turn`
      assert.equal(row?.turn, turn)
    })
}

/** Loses the connection of a transaction that then goes on with `late`, while another runs on the same connection. */
async function withLost(database: Database, late: (tx: Db) => Promise<unknown>): Promise<unknown> {
  const next = gate()
  let outcome: Promise<unknown> | undefined
  const first = database.transaction(async (tx) => {
    await keep(tx, 'first')
    await endSession(await sessionOf(tx))
    await next.passed
    outcome = late(tx)
    await outcome
  })
  await assert.rejects(first, { code: 'CONNECTION_CLOSED' })
  const second = database.transaction(async (tx) => {
    await keep(tx, 'second')
    next.open()
    // Long enough for everything that the first would send.
    for (let turn = 0; turn < 20; turn += 1) await tx`select ${turn}::integer`
    throw new Error('undone')
  })
  await assert.rejects(second, /undone/)
  assert.deepEqual(await kept(), [])
  await assertInStep(database)
  return outcome
}

const isLost = { code: 'CONNECTION_CLOSED', message: 'The connection was lost, and the transaction with it.' }

test('a transaction that lost its connection does not commit what another writes on the next', async (context) => {
  await withLost(openSingle(context), async () => {})
})

test('a transaction that lost its connection writes nothing on the next', async (context) => {
  await assert.rejects(
    withLost(openSingle(context), (tx) => keep(tx, 'late')),
    isLost,
  )
})

test('a statement that was written before the connection was lost is not sent on the next', async (context) => {
  const database = openSingle(context)
  let written: PromiseLike<unknown> | undefined
  const next = gate()
  const first = database.transaction(async (tx) => {
    written = tx`insert into kept values ('late')`
    await endSession(await sessionOf(tx))
    await next.passed
  })
  await assert.rejects(first)
  await assertInStep(database)
  await assert.rejects(async () => written, isLost)
  next.open()
  assert.deepEqual(await kept(), [])
})

test('a savepoint in a transaction that lost its connection writes nothing on the next', async (context) => {
  const database = openSingle(context)
  const late = (tx: Db) => boundTo(database, tx).transaction((inner) => keep(inner, 'late'))
  await assert.rejects(withLost(database, late), isLost)
})

test('a connection that is lost with a statement ends its transaction and its savepoints', async (context) => {
  const database = openSingle(context)
  const lost = database.transaction((tx) =>
    boundTo(database, tx).transaction(async (inner) => {
      await keep(inner, 'first')
      await inner`select pg_terminate_backend(pg_backend_pid())`
    }),
  )
  await assert.rejects(lost, { code: 'CONNECTION_CLOSED' })
  await assertInStep(database)
  assert.deepEqual(await kept(), [])
})

/** A database whose connections can be reset. */
async function openBreakable(context: TestContext): Promise<{ database: Database; reset: () => void }> {
  const door = await openDoor(clone.connection)
  const database = openSingle(context, door.url)
  context.after(() => door.close())
  // All connections are open, and the driver knows the types of arrays.
  await Promise.all([database.db`select 1`, database.searching`select 1`])
  return { database, reset: () => door.reset() }
}

const endings: readonly { how: string; end: (sleeping: Promise<unknown>) => Promise<unknown> }[] = [
  { how: 'fails with it', end: (sleeping) => sleeping },
  { how: 'goes on as if nothing had happened', end: (sleeping) => sleeping.catch(() => 'fine') },
]
for (const { how, end } of endings)
  test(`after a reset connection the next transaction is answered, if the first ${how}`, async (context) => {
    const { database, reset } = await openBreakable(context)
    let session = 0
    const first = database.transaction(async (tx) => {
      session = await sessionOf(tx)
      await keep(tx, 'first')
      const sleeping = (async () => tx`select pg_sleep(300)`)()
      setTimeout(reset, 100)
      return end(sleeping)
    })
    await assert.rejects(first)
    // PostgreSQL would notice only when it has slept.
    await endSession(session)
    await assertInStep(database)
    await database.transaction((tx) => keep(tx, 'second'))
    assert.deepEqual(await kept(), ['second'])
  })

test('an error that only looks like a lost connection undoes the transaction', async (context) => {
  const database = openSingle(context)
  const failing = database.transaction(async (tx) => {
    await keep(tx, 'first')
    throw Object.assign(new Error('The store has gone.'), { code: 'ECONNRESET', syscall: 'read' })
  })
  await assert.rejects(failing, /The store has gone/)
  await assertInStep(database)
  assert.deepEqual(await kept(), [])
})

const isOver = { message: 'This transaction is over.' }
for (const isCommitted of [true, false])
  test(`a statement after the ${isCommitted ? 'commit' : 'rollback'} of its transaction is refused`, async (context) => {
    const database = openSingle(context)
    const next = gate()
    const late: Promise<unknown>[] = []
    const first = database.transaction(async (tx) => {
      const inner = boundTo(database, tx)
      late.push(next.passed.then(() => keep(tx, 'late')))
      late.push(next.passed.then(() => inner.transaction((deeper) => keep(deeper, 'deeper'))))
      if (!isCommitted) throw new Error('undone')
    })
    await first.catch(() => {})
    next.open()
    for (const each of late) await assert.rejects(each, isOver)
    await assertInStep(database)
    assert.deepEqual(await kept(), [])
  })

test('a savepoint that nobody waits for ends with its transaction', async (context) => {
  const database = openSingle(context)
  const [inside, next] = [gate(), gate()]
  let late: Promise<unknown> | undefined
  await database.transaction(async (tx) => {
    void boundTo(database, tx).transaction(async (inner) => {
      inside.open()
      await next.passed
      late = keep(inner, 'late')
      await late
    })
    await inside.passed
  })
  next.open()
  await assertInStep(database)
  await assert.rejects(async () => late, isOver)
  assert.deepEqual(await kept(), [])
})

test('a savepoint in a savepoint that nobody waits for sends nothing after the transaction', async (context) => {
  const database = openSingle(context)
  const [inside, next] = [gate(), gate()]
  await database.transaction(async (tx) => {
    const outer = boundTo(database, tx)
    void outer.transaction(async (middle) => {
      await boundTo(outer, middle).transaction(async () => {
        inside.open()
        await next.passed
        throw new Error('fails late')
      })
    })
    await inside.passed
  })
  const second = database.transaction(async (tx) => {
    await keep(tx, 'second')
    next.open()
    for (let turn = 0; turn < 20; turn += 1) await tx`select ${turn}::integer`
  })
  await second
  assert.deepEqual(await kept(), ['second'])
})

test('what a transaction does in the end is done although its connection was lost in a savepoint', async (context) => {
  const { database, reset } = await openBreakable(context)
  let session = 0
  const ended = gate()
  const lost = database.transaction(async (tx) => {
    session = await sessionOf(tx)
    try {
      await boundTo(database, tx).transaction(async (inner) => {
        setTimeout(reset, 100)
        await inner`select pg_sleep(300)`
      })
    } finally {
      ended.open()
    }
  })
  await assert.rejects(lost)
  await ended.passed
  await endSession(session)
  await assertInStep(database)
})

test('an error in a savepoint undoes only what the savepoint did', async () => {
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
