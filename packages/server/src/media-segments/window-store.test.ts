import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, openDatabase } from '../db/database.js'
import { StorageError } from '../storage/storage-error.js'
import { createEncoderTurns } from './encoder-turns.js'
import { claimWindows, finishWindow, type WindowKey } from './window-leases.js'
import { openElsewhere, serveRequests } from './window-requests.js'
import { openWindowStore, WindowFailed, type WindowStore } from './window-store.js'

const lease = 600
let databases: Database[]
let stores: WindowStore[]
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  databases = [1, 2].map(() => openDatabase({ connection: clone.connection, connections: 4 }))
  stores = await Promise.all(databases.map((database) => openWindowStore(database, { lease })))
})
after(async () => {
  for (const store of stores) await store.close()
  for (const database of databases) await database.close()
  await drop()
})

let count = 0
const newKey = (): WindowKey => {
  count += 1
  return { source_id: `source-${count}`, track: 'hls_360p', number: 0 }
}
const [one, other] = [() => stores[0] as WindowStore, () => stores[1] as WindowStore]
const db = () => (databases[0] as Database).db

test('of many requests for a window on two nodes, one makes it and all get it', async () => {
  const key = newKey()
  let makings = 0
  const make = async () => {
    makings += 1
    await delay(50)
    return { bytes: 10 }
  }
  await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? one() : other()).ensure(key, make)))
  assert.equal(makings, 1)
  await other().ensure(key, make)
  assert.equal(makings, 1)
})

test('a waiting node is woken by a notification, not by polling', async () => {
  // Neither an expiring lease nor polling can help within this time.
  const never = 600_000
  const patient = await Promise.all(
    databases.map((database) => openWindowStore(database, { lease: never, longestWait: never })),
  )
  const [maker, waiter] = patient as [WindowStore, WindowStore]
  const key = newKey()
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let isBegun = () => {}
  const begun = new Promise<void>((resolve) => {
    isBegun = resolve
  })
  const making = maker.ensure(key, async () => {
    isBegun()
    await finished
    return { bytes: 1 }
  })
  await begun
  const waiting = waiter.ensure(key, async () => assert.fail('it is being made elsewhere'))
  await delay(100)
  finish()
  await Promise.all([making, waiting])
  for (const store of patient) await store.close()
})

test('work that takes longer than a lease keeps it', async () => {
  const key = newKey()
  let makings = 0
  const make = async () => {
    makings += 1
    await delay(lease * 2.5)
    return { bytes: 1 }
  }
  await Promise.all([one().ensure(key, make), other().ensure(key, make)])
  assert.equal(makings, 1)
})

test('the work of a dead node is taken over when its lease expires, and its late result is ignored', async () => {
  const key = newKey()
  const dead = { name: 'a dead node', leaseMs: lease, yields: false }
  assert.deepEqual(await claimWindows(db(), [key], dead), [
    { key, claim: { kind: 'taken', isSuspect: false } },
  ])
  let makings = 0
  await one().ensure(key, async () => {
    makings += 1
    return { bytes: 1 }
  })
  assert.equal(makings, 1)
  assert.equal(await finishWindow(db(), key, 'a dead node', { bytes: 1 }), false)
})

test('a failure is retried, and the third is reported to all who wait, with its reason', async () => {
  const once = newKey()
  let tries = 0
  await one().ensure(once, async () => {
    tries += 1
    if (tries === 1) throw new Error('a hiccup')
    return { bytes: 1 }
  })
  assert.equal(tries, 2)

  const broken = newKey()
  const make = async () => {
    throw new Error('The source is damaged.')
  }
  const outcomes = await Promise.allSettled([one().ensure(broken, make), other().ensure(broken, make)])
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof WindowFailed)
    assert.match(outcome.reason.message, /damaged/)
  }
  await one().forget(broken)
  await one().ensure(broken, async () => ({ bytes: 1 }))
})

test('a caller that stops waiting does not end work that has begun', async () => {
  const key = newKey()
  const leaving = new AbortController()
  let done = false
  const waiting = one().ensure(
    key,
    async () => {
      leaving.abort(new Error('gone'))
      await delay(100)
      done = true
      return { bytes: 1 }
    },
    { signal: leaving.signal },
  )
  await assert.rejects(waiting, /gone/)
  await one().ensure(key, async () => assert.fail('it is being made'))
  assert.equal(done, true)
})

test('a stopped node ends its work, and another takes over at once', async () => {
  const store = await openWindowStore(databases[0] as Database, { lease })
  const key = newKey()
  let ended = false
  let begin = () => {}
  const isBegun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const working = store.ensure(key, async (signal) => {
    begin()
    await delay(60_000, undefined, { signal }).catch(() => {
      ended = true
    })
    throw new Error('ended')
  })
  await isBegun
  const begun = performance.now()
  const takenOver = other().ensure(key, async () => ({ bytes: 1 }))
  await store.close()
  await assert.rejects(working)
  await takenOver
  assert.equal(ended, true)
  assert.ok(performance.now() - begun < lease)
})

const placeless = async () => {
  const turns = createEncoderTurns(1)
  const free = await turns({ need: 'viewer', left: new AbortController().signal })
  const store = await openWindowStore(databases[0] as Database, { lease, turns })
  return { store, free }
}

test('work that everyone left before its turn is not done, and is done for a later caller', async () => {
  const { store, free } = await placeless()
  const key = newKey()
  const leaving = new AbortController()
  const left = store.ensure(key, async () => assert.fail('nobody waits'), {
    signal: leaving.signal,
    need: 'viewer',
  })
  leaving.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  let makings = 0
  const make = async () => {
    makings += 1
    return { bytes: 1 }
  }
  const later = store.ensure(key, make, { need: 'viewer' })
  free()
  await later
  assert.equal(makings, 1)
  await store.close()
})

test('a background window moves to the front once a viewer requests it', async () => {
  const { store, free } = await placeless()
  const [early, late] = [newKey(), newKey()]
  const begun: string[] = []
  const make = (name: string) => async () => {
    begun.push(name)
    return { bytes: 1 }
  }
  const waiting = [
    store.ensure(late, make('other'), { need: 'preparing' }),
    store.ensure(early, make('wanted')),
    store.ensure(early, make('again'), { need: 'viewer' }),
  ]
  await delay(30)
  free()
  await Promise.all(waiting)
  assert.deepEqual(begun, ['wanted', 'other'])
  await store.close()
})

test('a node without encoders has its windows made by a living worker', async () => {
  const [database, theirs] = databases as [Database, Database]
  const elsewhere = openElsewhere(database)
  const store = await openWindowStore(database, { lease, elsewhere })
  const [key, missing] = [newKey(), newKey()]
  const made: string[] = []
  await serveRequests(theirs, (request, signal) =>
    other().ensure(
      request,
      async () => {
        made.push(request.source_id)
        return { bytes: 1 }
      },
      { signal, need: 'viewer' },
    ),
  )
  const leaving = new AbortController()
  const unheard = store.ensure(missing, undefined, { byWorkers: true, signal: leaving.signal })
  await delay(50)
  leaving.abort(new Error('gone'))
  await assert.rejects(unheard, /gone/)
  assert.deepEqual(made, [], 'nobody was alive')
  await db()`insert into workers (_id, runners, makes_windows) values ('w', '{}', true)`
  await delay(1100)
  await store.ensure(key, undefined, { byWorkers: true })
  // Work on the other may have begun before its only caller left.
  assert.deepEqual(
    made.filter((id) => id !== missing.source_id),
    [key.source_id],
  )
  await store.close()
})

test('failures not caused by the film do not count against it', async () => {
  const key = newKey()
  let tries = 0
  await one().ensure(key, async () => {
    tries += 1
    if (tries === 1) throw new StorageError('broken', 'The disk is broken.')
    const [row] = await db()`select failures, mishaps from media_windows where source_id = ${key.source_id}`
    assert.deepEqual({ ...row }, { failures: 0, mishaps: 1 })
    return { bytes: 1 }
  })
  assert.equal(tries, 2)
})
