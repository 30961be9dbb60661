import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, openDatabase } from '../db/database.js'
import { outageOf } from '../films/mishap.js'
import { explainExit, MediaError } from '../media/media-error.js'
import { StorageError } from '../storage/storage-error.js'
import { createEncoderTurns } from './encoder-turns.js'
import type { MakeAll } from './lease-work.js'
import { claimWindows, endLeases, holderName, type WindowKey } from './window-leases.js'
import { openWindowStore, type WindowStore } from './window-store.js'

const lease = 600
let databases: Database[]
let stores: WindowStore[]
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  databases = [1, 2].map(() => openDatabase({ connection: clone.connection, connections: 4 }))
  stores = await Promise.all(
    databases.map((database) => openWindowStore(database, { lease, turns: createEncoderTurns(4) })),
  )
})
after(async () => {
  for (const store of stores) await store.close()
  for (const database of databases) await database.close()
  await drop()
})

const [one, other] = [() => stores[0] as WindowStore, () => stores[1] as WindowStore]
const db = () => (databases[0] as Database).db

function signalOf() {
  let tell = () => {}
  const reached = new Promise<void>((resolve) => {
    tell = resolve
  })
  return { reached, tell }
}

let sources = 0
/** The windows of one track, numbered from 0. */
const newKeys = (count: number): WindowKey[] => {
  sources += 1
  return Array.from({ length: count }, (_, number) => ({
    source_id: `source-${sources}`,
    track: 'hls_360p',
    number,
  }))
}
const numbersOf = (keys: readonly WindowKey[]) => keys.map(({ number }) => number)

test('several windows are made together, except those made elsewhere, and each is available as soon as it is reported', async () => {
  const keys = newKeys(4)
  const [first, second, third] = keys as [WindowKey, WindowKey, WindowKey]
  const [begun, ended] = [signalOf(), signalOf()]
  const another = other().ensure(second, async () => {
    begun.tell()
    await ended.reached
    return { bytes: 1 }
  })
  await one().ensure(third, async () => ({ bytes: 1 }))
  await begun.reached
  const asked: number[][] = []
  await one().ensureAhead(keys, async (ours, isMade) => {
    asked.push(numbersOf(ours))
    await isMade(first, { bytes: 1 })
    await other().ensure(first, async () => assert.fail('it is made'), { need: 'viewer' })
    await isMade({ ...first, number: 3 }, { bytes: 1 })
  })
  assert.deepEqual(asked, [[0, 3]])
  ended.tell()
  await another
  for (const key of keys) await other().ensure(key, async () => assert.fail('all are made'))
})

test('work ahead of time is given up to a viewer who waits, here or elsewhere', async () => {
  const keys = newKeys(3)
  const [first, second, third] = keys as [WindowKey, WindowKey, WindowKey]
  const [begun, viewed] = [signalOf(), signalOf()]
  const ahead = one().ensureAhead(keys, async (ours, isMade) => {
    assert.deepEqual(numbersOf(ours), [0, 1, 2])
    begun.tell()
    await viewed.reached
    for (const key of ours) await isMade(key, { bytes: 2 })
  })
  await begun.reached
  let makings = 0
  const make = async () => {
    makings += 1
    return { bytes: 1 }
  }
  await Promise.all([
    one().ensure(first, make, { need: 'viewer' }),
    other().ensure(second, make, { need: 'viewer' }),
  ])
  assert.equal(makings, 2)
  viewed.tell()
  await ahead
  await other().ensure(third, async () => assert.fail('it was made ahead'))
  const rows = await db()<{ bytes: string }[]>`
    select bytes from media_windows where source_id = ${first.source_id} order by number
  `
  assert.deepEqual(
    rows.map(({ bytes }) => Number(bytes)),
    [1, 1, 2],
  )
})

test('if several fail together, only the cause is blamed', async () => {
  const keys = newKeys(3)
  const groups: number[][] = []
  const make: MakeAll = async (ours, isMade) => {
    groups.push(numbersOf(ours))
    for (const key of ours) {
      if (key.number === 1) throw new Error('It is damaged here.')
      await isMade(key, { bytes: 1 })
    }
  }
  await one().ensureAhead(keys, make)
  assert.deepEqual(groups, [[0, 1, 2], [1], [2]])
  const rows = await db()<{ number: number; failures: number }[]>`
    select number, failures from media_windows where source_id = ${keys[0]?.source_id ?? ''} order by number
  `
  assert.deepEqual(
    rows.map(({ failures }) => failures),
    [0, 1, 0],
  )
})

const noRoom = Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' })
for (const [outage, away] of [
  ['media storage', new StorageError('away', 'The store cannot be reached.')],
  ['disk', noRoom],
  ['disk', new Error('The file could not be joined.', { cause: noRoom })],
  ['disk', explainExit('ffmpeg', 'code 1', ['av_interleaved_write_frame(): No space left on device'])],
  ['machine', new MediaError('starved', 'The machine is too busy.')],
] as const)
  test(`during an outage (${outage}: ${away.message}) no window is tried alone or blamed, and all can be made at once afterwards`, async () => {
    assert.equal(outageOf(away), outage)
    const keys = newKeys(3)
    let tries = 0
    const fail: MakeAll = async () => {
      tries += 1
      throw away
    }
    for (let outages = 1; outages <= 13; outages += 1) {
      await assert.rejects(one().ensureAhead(keys, fail), away)
      assert.equal(tries, outages)
    }
    const [first] = keys as [WindowKey]
    await assert.rejects(
      one().ensure(first, async () => {
        throw away
      }),
      away,
    )
    await one().ensureAhead(keys, async (ours, isMade) => {
      assert.deepEqual(numbersOf(ours), [0, 1, 2])
      for (const key of ours) await isMade(key, { bytes: 1 })
    })
  })

test('a window that keeps losing its worker is made alone, and eventually given up', async () => {
  const keys = newKeys(3)
  const [bad] = keys as [WindowKey]
  const lose = async (lost: readonly WindowKey[], leaseMs: number) => {
    const holder = { name: holderName('lost', 1), leaseMs, yields: true }
    const claims = await claimWindows(db(), lost, holder)
    if (leaseMs > 0) await endLeases(db(), 'lost')
    return claims.map(({ claim }) => claim.kind)
  }
  // A worker known to have ended, then an expired lease: both count, and the windows made with it are
  // suspected too.
  assert.deepEqual(await lose(keys, lease), ['taken', 'taken', 'taken'])
  assert.deepEqual(await lose(keys, 0), ['taken', 'taken', 'taken'])
  const groups: number[][] = []
  await one().ensureAhead(keys, async (ours, isMade) => {
    groups.push(numbersOf(ours))
    for (const key of ours)
      if (key.number === bad.number) throw new StorageError('broken', 'The disk is away.')
      else await isMade(key, { bytes: 1 })
  })
  assert.deepEqual(groups, [[0], [1], [2]])
  for (const key of keys.slice(1)) await other().ensure(key, async () => assert.fail('it was not to blame'))

  await db()`update media_windows set retry_at = null where source_id = ${bad.source_id}`
  let tries = 0
  while ((await lose([bad], lease))[0] === 'taken') tries += 1
  assert.deepEqual(await lose([bad], lease), ['failed'])
  assert.ok(tries > 3 && tries < 120, `it was tried ${tries} times more`)
})
