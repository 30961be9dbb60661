import assert from 'node:assert/strict'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import {
  content,
  keysOf,
  of,
  type Subject,
  sha256,
  testStorage,
} from '../../../../test/support/storage-contract.js'
import { testUploads } from '../../../../test/support/upload-contract.js'
import { type Database, openDatabase } from '../db/database.js'
import { createKeyLocks } from '../library/key-locks.js'
import { openFileStorage } from './file-storage.js'
import type { KeyLock } from './key-lock.js'
import type { Storage } from './storage.js'
import { StorageError } from './storage-error.js'
import { openTwoPlaces, type TwoPlaces } from './two-places.js'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
let lock: KeyLock
before(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ connection: clone.connection, connections: 8 })
  lock = createKeyLocks(database)
})
after(async () => {
  await database.close()
  await clone.drop()
})

async function newPlaces() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'zoetrope-places-')))
  const open = async (): Promise<TwoPlaces> => ({
    to: await openFileStorage(join(folder, 'new')),
    from: await openFileStorage(join(folder, 'old')),
    lock,
  })
  return { open, stop: () => rm(folder, { recursive: true, force: true }) }
}

/** Both places as one storage, in which `seed` decides where objects are put and uploads begin. */
const start = (seed: (places: TwoPlaces, storage: Storage) => Storage) => async (): Promise<Subject> => {
  const { open, stop } = await newPlaces()
  const reopen = async () => {
    const places = await open()
    return seed(places, openTwoPlaces(places))
  }
  return { storage: await reopen(), reopen, stop }
}

const asUsual = (_places: TwoPlaces, storage: Storage) => storage

/** As they were written before there were two places. */
const inOldPlace = ({ to, from }: TwoPlaces, storage: Storage): Storage => ({
  ...storage,
  async put(key, body, limits) {
    const written = await from.put(key, body, limits)
    await to.remove(key)
    return written
  },
  async openUpload(key) {
    const [both, old] = [await storage.openUpload(key), await from.openUpload(key)]
    return {
      ...both,
      append: async (body, at, options) =>
        ((await both.offset()) === 0 ? old : both).append(body, at, options),
    }
  },
})

/** As a killed move leaves them. */
const inBoth = ({ to, from }: TwoPlaces, storage: Storage): Storage => ({
  ...storage,
  async put(key, body, limits) {
    const written = await from.put(key, body, limits)
    const object = await from.read(key)
    if (object) await to.put(key, object.body)
    return written
  },
})

suite('two places', () => testStorage(start(asUsual)))
suite('uploads to two places', () => testUploads(start(asUsual)))
suite('two places with all objects in the old one', () => testStorage(start(inOldPlace)))
suite('uploads begun in the old place', () => testUploads(start(inOldPlace)))
suite('two places with all objects in both', () => testStorage(start(inBoth)))

test('the version in the new place counts, and the old one never comes back', async () => {
  const { open, stop } = await newPlaces()
  const places = await open()
  const storage = openTwoPlaces(places)
  for (const key of ['film/a', 'film/b', 'film/c', 'film/d']) await places.from.put(key, of('old'))
  await storage.put('film/a', of('new'))
  await places.to.put('film/b', of('newer'))
  assert.equal(await content(storage, 'film/a'), 'new')
  assert.equal((await storage.stat('film/b'))?.size, 5)
  assert.equal(await storage.withLocalFile('film/b', (path) => readFile(path, 'utf8')), 'newer')
  assert.equal(await places.from.stat('film/a'), undefined)
  await storage.remove('film/b')
  await storage.move('film/d', 'film/e')
  assert.deepEqual(await keysOf(storage.list('film')), ['film/a', 'film/c', 'film/e'])
  await places.to.put('film/e', of('newest'))
  await storage.move('film/c', 'film/e')
  assert.equal(await content(storage, 'film/e'), 'old')
  await storage.remove('film/a')
  assert.deepEqual(await keysOf(storage.list('')), ['film/e'])
  await stop()
})

test('an object that is moved between two looks is found', async () => {
  const { open, stop } = await newPlaces()
  const { to, from } = await open()
  await from.put('film/a', of('film'))
  const moving: Storage = {
    ...from,
    async read(key, range) {
      await to.put(key, of('film'))
      await from.remove(key)
      return from.read(key, range)
    },
  }
  assert.equal(await content(openTwoPlaces({ to, from: moving, lock }), 'film/a'), 'film')
  await stop()
})

test('while the new place is away, what has not moved is read in the old one', async () => {
  const { open, stop } = await newPlaces()
  const { to, from } = await open()
  await from.put('film/a', of('film'))
  await to.put('film/b', of('moved'))
  const away = async () => {
    throw new StorageError('away', 'The store does not answer.')
  }
  const silent: Storage = { ...to, stat: away, read: away, withLocalFile: away, openParts: away }
  const storage = openTwoPlaces({ to: silent, from, lock })
  assert.equal(await content(storage, 'film/a'), 'film')
  assert.equal((await storage.stat('film/a'))?.size, 4)
  assert.equal(await storage.withLocalFile('film/a', (path) => readFile(path, 'utf8')), 'film')
  assert.equal(await storage.openParts('film/a'), undefined)
  const { read, stat, openParts } = storage
  for (const ask of [read, stat, openParts]) await assert.rejects(ask('film/b'), { reason: 'away' })
  await assert.rejects(
    storage.withLocalFile('film/b', async () => {}),
    { reason: 'away' },
  )
  await stop()
})

test('to release a lock that was lost with its connection is an error', async () => {
  const release = await lock(['segments/lost'])
  // Other test files hold advisory locks in other databases of the same server, for example while they clone one.
  await database.db`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
  `
  await assert.rejects(release())
})

test('a list of many objects in both places is in order, and misses none that moves meanwhile', async () => {
  const { open, stop } = await newPlaces()
  const { to, from } = await open()
  const keys = Array.from({ length: 450 }, (_, index) => `film/${String(index).padStart(3, '0')}`)
  for (const [index, key] of keys.entries()) await (index % 3 === 0 ? to : from).put(key, of('x'))
  await from.put('moved/2026-01-01/film/000', of('x'))
  const storage = openTwoPlaces({ to, from, lock })
  const listed: string[] = []
  for await (const { key } of storage.list('')) {
    listed.push(key)
    const later = keys[listed.length + 30]
    if (later && (await from.stat(later))) {
      await to.put(later, of('x'))
      await from.remove(later)
    }
  }
  assert.deepEqual(listed, keys)
  assert.equal((await keysOf(storage.list('film', { after: 'film/100', limit: 7 }))).at(-1), 'film/107')
  await stop()
})

test('an upload begun in the old place ends there, and its repeated end finds it in the new one', async () => {
  const { open, stop } = await newPlaces()
  const { to, from } = await open()
  await (await from.openUpload('film/a')).append(of('one'), 0)
  const storage = openTwoPlaces({ to, from, lock })
  const upload = await storage.openUpload('film/a')
  assert.equal(await upload.offset(), 3)
  assert.deepEqual(await keysOf(storage.listUploads()), ['film/a'])
  await upload.append(of('two'), 3)
  const facts = { size: 6, sha256: sha256(Buffer.from('onetwo')) }
  assert.deepEqual(await upload.finish(), facts)
  assert.equal(await content(from, 'film/a'), 'onetwo')
  assert.deepEqual(await upload.finish(), facts)
  await to.put('film/a', of('onetwo'))
  await from.remove('film/a')
  assert.deepEqual(await (await storage.openUpload('film/a')).finish(), facts)
  await stop()
})

test('a lock keeps out the same object, everything under its prefix, and nothing else', async () => {
  const order: string[] = []
  const held = await lock(['segments/a/hls/1'])
  const waiting = ['segments/a/other', 'segments'].map(async (key) => {
    const release = await lock([key])
    order.push(key)
    await release()
  })
  const beside = await lock(['sources/b'])
  order.push('released')
  await beside()
  await held()
  await Promise.all(waiting)
  assert.equal(order[0], 'released')
  assert.equal(order.length, 3)
})
