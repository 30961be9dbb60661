import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, beforeEach, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, openDatabase } from '../db/database.js'
import { newId } from '../lib/object-id.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { openFileStorage } from '../storage/file-storage.js'
import type { Storage } from '../storage/storage.js'
import { adopt, pair, readPairing } from './owner.js'

let folder: string
let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
let storage: Storage
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-owner-'))
  clone = await cloneDatabase()
  database = openDatabase({ connection: clone.connection, connections: 2 })
})
after(async () => {
  await database.close()
  await clone.drop()
  await rm(folder, { recursive: true, force: true })
})

/** A database as a server leaves it, and an empty storage. */
beforeEach(async () => {
  await database.db`delete from channels`
  await database.db`delete from installation`
  await database.db`insert into installation (name, value) values ('set_up', 'today')`
  await database.db`insert into channels (_id, title) values (${'1'.repeat(24)}, 'One')`
  storage = await openFileStorage(join(folder, newId()))
})

const put = (key: string, text = 'x') => storage.put(key, Readable.from([Buffer.from(text)]))
const idInDatabase = async () =>
  (await database.db<{ value: string }[]>`select value from installation where name = 'id'`)[0]?.value
const setDatabaseId = (id: string) =>
  database.db`insert into installation (name, value) values ('id', ${id}) on conflict (name) do update set value = ${id}`
const setStorageId = (id: string) => put('installation.json', JSON.stringify({ id }))
async function idInStorage(): Promise<string | undefined> {
  const object = await storage.read('installation.json')
  return object && (JSON.parse(String(await object.body.toArray())) as { id: string }).id
}

async function film(where: 'database' | 'storage' | 'both'): Promise<void> {
  const { db } = database
  const [_id, video_id, site_id] = [newId(), newId(), '1'.repeat(24)]
  if (where !== 'database') await put(sourceKey(_id))
  if (where === 'storage') return
  await db`insert into videos ${db({ _id: video_id, site_id, title: 'Film', friendly_title: video_id })}`
  await db`insert into sources ${db({ _id, site_id, video_id, bytes: 1, sha256: '' })}`
}

async function checkPaired(id?: string): Promise<void> {
  assert.equal(await pair(database.db, storage), 'ours')
  assert.equal(await readPairing(database.db, storage), 'ours')
  const [known, stored] = [await idInDatabase(), await idInStorage()]
  assert.equal(known, stored)
  if (id) assert.equal(known, id)
  else assert.match(known ?? '', /^[0-9a-f-]{36}$/)
}

async function checkApart(how: string): Promise<void> {
  const before = [await idInDatabase(), await idInStorage()]
  assert.equal(await pair(database.db, storage), how)
  assert.deepEqual([await idInDatabase(), await idInStorage()], before)
}

test('a new database and a new storage get one id', async () => {
  await database.db`delete from channels`
  await database.db`delete from installation`
  await checkPaired()
  await checkPaired(await idInDatabase())
})

test('an installation that predates ids gets one if its films match', async () => {
  for (const where of ['both', 'both', 'database', 'storage'] as const) await film(where)
  await checkPaired()
})

test('a restored database that predates ids takes the id of the storage with its films', async () => {
  for (const where of ['both', 'both', 'storage'] as const) await film(where)
  await setStorageId('old')
  await checkPaired('old')
})

test('a storage that lost its id gets that of the database with its films', async () => {
  await film('both')
  await setDatabaseId('kept')
  await checkPaired('kept')
})

test('a new database beside existing films is recognised, with or without an id on the storage', async () => {
  await database.db`delete from channels`
  await database.db`delete from installation`
  await film('storage')
  await checkApart('empty')
  await setStorageId('theirs')
  await checkApart('empty')
})

test('a storage that never held a film may be adopted', async () => {
  await database.db`delete from channels`
  await database.db`delete from installation`
  await setStorageId('of a database that was thrown away')
  await checkPaired()
})

test('films of another database prove nothing', async () => {
  await film('storage')
  await checkApart('unproven')
  for (const where of ['database', 'both', 'database', 'database'] as const) await film(where)
  await checkApart('unproven')
  await setDatabaseId('mine')
  await checkApart('unproven')
  assert.equal(await readPairing(database.db, storage), 'unproven')
})

test("a database that has just begun to fill another's storage does not own it", async () => {
  for (let count = 0; count < 5; count += 1) await film('storage')
  await film('both')
  await checkApart('unproven')
})

test('two different ids, or an unreadable one, count as another installation until someone adopts it', async () => {
  await film('both')
  await setDatabaseId('mine')
  await setStorageId('theirs')
  await checkApart('other')
  await put('installation.json', 'not JSON')
  assert.equal(await pair(database.db, storage), 'other')
  await adopt(database.db, storage)
  await checkPaired('mine')
})
