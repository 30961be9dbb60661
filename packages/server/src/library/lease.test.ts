/** Films belong to one living database: not to an older copy of it, and not to one that runs beside it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, beforeEach, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, type Db, openDatabase } from '../db/database.js'
import { keepRecord, readRecord } from '../db/records.js'
import { countArrival, recordSource } from '../films/sources.js'
import { newId } from '../lib/object-id.js'
import { openFileStorage } from '../storage/file-storage.js'
import type { Storage } from '../storage/storage.js'
import { StorageError } from '../storage/storage-error.js'
import { clockTrouble, deletionTime, setDeletionTime } from './deletion-clock.js'
import { checkLease, leaseTrouble, openLease, takeLease } from './lease.js'
import { pair } from './owner.js'

let folder: string
let storage: Storage
const clones: Awaited<ReturnType<typeof cloneDatabase>>[] = []
const databases: Database[] = []
let first: Db
let second: Db
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-lease-'))
  for (let count = 0; count < 2; count += 1) {
    const clone = await cloneDatabase()
    clones.push(clone)
    databases.push(openDatabase({ connection: clone.connection, connections: 2 }))
  }
  ;[first, second] = databases.map(({ db }) => db) as [Db, Db]
})
after(async () => {
  for (const database of databases) await database.close()
  for (const clone of clones) await clone.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  storage = await openFileStorage(join(folder, newId()))
  for (const db of [first, second]) {
    await db`delete from library_lease`
    await db`delete from installation`
  }
  assert.equal(await pair(first, storage), 'ours')
})

/** Makes the second database a copy of the first one as it is now. */
async function copy(): Promise<void> {
  const [row] = await first`select to_jsonb(library_lease)::text as row from library_lease`
  await second`delete from library_lease`
  await second`
    insert into library_lease select * from jsonb_populate_record(null::library_lease, ${row?.row}::text::jsonb)
  `
}

const aMinutePasses = (db: Db) =>
  db`update library_lease set renewed_at = renewed_at - interval '1 minute', doubt_since = doubt_since - interval '1 minute'`

/** Checks after a minute. Returns the first words of what the operator is told. */
async function check(db: Db): Promise<string | undefined> {
  await aMinutePasses(db)
  await checkLease(db, storage)
  return (await leaseTrouble(db))?.replace(/ ?[:(].*/, '')
}
async function arrive(db: Db): Promise<void> {
  const lease = await openLease(db, storage)
  await countArrival(db)
  await lease.noteArrival()
}
const keysBeside = async () => {
  const keys: string[] = []
  for await (const { key } of storage.list('lease')) keys.push(key)
  return keys
}

/** Changes what the newest object says, as if PostgreSQL had run in another place. */
async function moveElsewhere(): Promise<void> {
  const [key = ''] = await keysBeside()
  const object = await storage.read(key)
  const mark = JSON.parse(String(await object?.body.toArray()))
  const text = JSON.stringify({ ...mark, place: 'another machine', started: 'then' })
  await storage.put(key, Readable.from([Buffer.from(text)]))
}

const old = 'The database is older than the media storage'
const isCopy = 'Another server uses the media storage at the same time, with a copy of this database'
const elsewhere = 'The media storage was last used with another copy of this database'

test('a database that was copied before the newest film arrived is recognised until it is adopted', async () => {
  await arrive(first)
  await copy()
  await arrive(first)
  assert.equal(await check(second), old)
  await arrive(second)
  await arrive(second)
  assert.equal(await check(second), old, 'films that arrive now do not hide it')

  await takeLease(second, storage)
  assert.equal(await check(second), undefined)
  assert.equal((await keysBeside()).length, 1)
})

test('a database that lacks no film continues after the silence of the one before it', async () => {
  await arrive(first)
  await copy()
  assert.equal(await check(first), undefined)
  for (let minutes = 0; minutes < 3; minutes += 1) assert.equal(await check(second), elsewhere)
  await arrive(second)
  assert.equal(await check(second), undefined, 'after three minutes')
  assert.equal((await keysBeside()).at(-1), 'lease/000000000002.json', 'the film is counted')
})

test('a copy that runs beside the original stays in doubt, and the original goes on', async () => {
  await arrive(first)
  await copy()
  assert.equal(await check(first), undefined)
  assert.equal(await check(second), elsewhere)
  assert.equal(await check(first), undefined)
  assert.equal(await check(second), isCopy)
  assert.equal(await check(first), undefined)
  for (let minutes = 0; minutes < 10; minutes += 1) assert.equal(await check(second), isCopy)

  await takeLease(second, storage)
  assert.equal(await check(first), old)
  assert.equal(await check(second), undefined)
  assert.equal(await check(first), isCopy)
})

test('a copy of a database that has just been renewed waits, because it is in another place', async () => {
  await arrive(first)
  await copy()
  await moveElsewhere()
  assert.equal(await check(second), elsewhere)
})

test('after a crash the same installation continues at once, and after a stop another place does', async () => {
  const lease = await openLease(first, storage)
  await lease.noteArrival()
  assert.equal(await check(first), undefined)
  await lease.release()
  await moveElsewhere()
  assert.equal(await check(first), undefined)
})

test('a server that goes on after a fail-over does not wait, although the database is in another place', async () => {
  const lease = await openLease(first, storage)
  await moveElsewhere()
  assert.equal(await lease.check(), undefined)
  assert.equal(lease.isHeld(), true)
})

test('a number that could not be written beside the films is written with the next renewal', async () => {
  const lease = await openLease(first, {
    ...storage,
    put: () => Promise.reject(new Error('The storage is away')),
  }).catch(() => undefined)
  assert.equal(lease, undefined)
  assert.equal(await check(first), undefined)
  await arrive(first)
  await copy()
  const site_id = newId()
  const video_id = newId()
  await first`insert into channels (_id, title) values (${site_id}, 'One')`
  await first`insert into videos ${first({ _id: video_id, site_id, title: 'Film', friendly_title: 'film' } as never)}`
  const file = { _id: newId(), site_id, file_name: 'film.mp4', size: 1, sha256: '0'.repeat(64) }
  // The server is killed between the commit and its note.
  await databases[0]?.transaction((tx) => recordSource(tx, file, video_id))
  assert.equal(await check(first), undefined)
  assert.equal(await check(second), old)
})

test('films that arrive in several processes at once leave the largest number', async () => {
  const leases = await Promise.all([openLease(first, storage), openLease(first, storage)])
  const arriveIn = async (process: number) => {
    await countArrival(first)
    await leases[process]?.noteArrival()
  }
  await Promise.all(Array.from({ length: 10 }, (_, index) => arriveIn(index % 2)))
  const [row] = await first<{ number: number }[]>`select number::float8 from library_lease`
  assert.equal(row?.number, 10)
  assert.equal((await keysBeside()).at(-1), 'lease/000000000010.json')
  assert.equal(await check(first), undefined)
  assert.deepEqual(await keysBeside(), ['lease/000000000010.json'])
})

test('a lease that is read late, after many films have arrived, raises no doubt', async () => {
  await arrive(first)
  await first`update library_lease set number = number + 30, nonces = '{newer}'`
  assert.equal(await check(first), undefined)
})

test('a lease can be read while films arrive all the time', async () => {
  const lease = await openLease(first, storage)
  const busy: Storage = {
    ...storage,
    async *list(prefix) {
      yield* storage.list(prefix)
      for (let films = 0; films < 3; films += 1) {
        await countArrival(first)
        await lease.noteArrival()
      }
    },
  }
  await checkLease(first, busy)
  assert.equal(await check(first), undefined)
  assert.equal((await keysBeside()).length, 1)
})

/** A storage without room. */
const withoutRoom = (): Storage => ({
  ...storage,
  put: () => Promise.reject(new StorageError('full', 'The disk is full')),
})

test('on a full disk the lease stays ours, however long, but is not taken over', async () => {
  await arrive(first)
  await copy()
  const lease = await openLease(first, withoutRoom())
  for (let minutes = 0; minutes < 25; minutes += 1) {
    await aMinutePasses(first)
    assert.equal(await lease.check(), undefined)
  }
  assert.equal(await check(first), undefined)
  await check(second)
  for (let minutes = 0; minutes < 4; minutes += 1) {
    await aMinutePasses(second)
    await checkLease(second, withoutRoom())
  }
  assert.match((await leaseTrouble(second)) ?? '', /^The media storage was last used with another copy/)
  assert.equal(await check(second), undefined, 'when there is room')
})

test('a check while the operator adopts the films raises no other doubt', async () => {
  await arrive(first)
  await copy()
  await arrive(first)
  assert.equal(await check(second), old)
  let checks = 0
  const checking = async () => {
    checks += 1
    await checkLease(second, storage)
  }
  const checked: Storage = {
    ...storage,
    async put(key, body) {
      if (checks === 0) await checking()
      const stored = await storage.put(key, body)
      if (checks === 1) await checking()
      return stored
    },
  }
  await takeLease(second, checked)
  assert.equal(checks, 2)
  assert.equal(await check(second), undefined)
})

test('a clock that is set back delays neither a renewal nor the end of a doubt', async () => {
  const ahead = (db: Db) =>
    db`update library_lease set renewed_at = now() + interval '1 day', doubt_since = doubt_since + interval '1 day'`
  await arrive(first)
  await copy()
  await ahead(first)
  const nonceOf = async () => (await first`select nonces[1] as nonce from library_lease`)[0]?.nonce
  const before = await nonceOf()
  await checkLease(first, storage)
  assert.notEqual(await nonceOf(), before)

  assert.equal(await check(second), elsewhere)
  await ahead(second)
  for (let minutes = 0; minutes < 3; minutes += 1) assert.equal(await check(second), elsewhere)
  assert.equal(await check(second), undefined)
})

test('nothing is written to the storage of another installation', async () => {
  await arrive(first)
  await keepRecord(second, 'id', 'another')
  const lease = await openLease(second, storage)
  await lease.noteArrival()
  await lease.release()
  assert.equal(await leaseTrouble(second), undefined)
  assert.equal(await check(first), undefined)
})

const dayMs = 24 * 3_600_000
const behind = async () => Date.now() - (await deletionTime(first)).getTime()
/** Moves the time that was seen last, as if the clock of the database had been set ahead. */
async function jump(ms: number): Promise<void> {
  const clock = JSON.parse((await readRecord(first, 'deletion_clock')) ?? '')
  await keepRecord(first, 'deletion_clock', JSON.stringify({ time: clock.time - ms, seen: clock.seen - ms }))
}

test('a clock that jumps ahead by a month counts as a day, and is caught up slowly or on request', async () => {
  assert.ok((await behind()) < dayMs / 2)
  await jump(30 * dayMs)
  const late = await behind()
  assert.ok(Math.abs(late - 29 * dayMs) < dayMs / 2, `${late}`)
  assert.match((await clockTrouble(first)) ?? '', /stay up to 29 days longer\. .*`zoetrope adopt`/)
  await jump(dayMs / 2)
  assert.ok((await behind()) < late - dayMs / 25)

  await setDeletionTime(first)
  assert.equal(await clockTrouble(first), undefined)
  assert.ok((await behind()) < dayMs / 2)
})

test('a clock that is set back to the right time makes nothing wait', async () => {
  await deletionTime(first)
  await jump(30 * dayMs)
  await deletionTime(first)
  await jump(-30 * dayMs)
  assert.ok((await behind()) < dayMs / 2)
})
