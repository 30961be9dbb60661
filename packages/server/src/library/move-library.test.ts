import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { content, keysOf, of, sha256 } from '../../../../test/support/storage-contract.js'
import { type Database, openDatabase } from '../db/database.js'
import { newId } from '../lib/object-id.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { openFileStorage } from '../storage/file-storage.js'
import type { Storage } from '../storage/storage.js'
import { openTwoPlaces, type TwoPlaces } from '../storage/two-places.js'
import { readyToMove } from './before-move.js'
import { createKeyLocks } from './key-locks.js'
import { moveLibrary } from './move-library.js'
import { moveObject } from './move-object.js'
import { removeMoved } from './moved.js'
import { failuresOf, lastMove } from './moves.js'
import { pair } from './owner.js'
import { createPace, readRate } from './pace.js'
import { forgetPlace, openPlaces, rememberPlaces, type StoragePlace } from './places.js'
import { bringBack } from './set-aside.js'
import { announcePlaces } from './storage-users.js'
import { verifyLibrary } from './verify.js'

let folder: string
let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
let places: TwoPlaces
let both: Storage
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-move-'))
  clone = await cloneDatabase()
  database = openDatabase({ connection: clone.connection, connections: 10 })
})
after(async () => {
  await database.close()
  await clone.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  const { db } = database
  for (const table of ['channels', 'installation', 'storage_moves', 'storage_users', 'ended_media'])
    await db`delete from ${db(table)}`
  const [to, from] = [await newStorage(), await newStorage()]
  places = { to, from, lock: createKeyLocks(database) }
  both = openTwoPlaces(places)
})

const newStorage = () => openFileStorage(join(folder, newId()))
const names = { from: 'disk', to: 's3://store/films' }
const move = (options = {}) => moveLibrary(database.db, { places, names, ...options })

async function channelWithFilm(bytes: string): Promise<string> {
  const { db } = database
  const [_id, video_id, site_id] = [newId(), newId(), newId()]
  await db`insert into channels (_id, title) values (${site_id}, 'One')`
  await db`insert into videos ${db({ _id: video_id, site_id, title: 'Film', friendly_title: video_id })}`
  const row = { _id, site_id, video_id, bytes: bytes.length, sha256: sha256(Buffer.from(bytes)) }
  await db`insert into sources ${db(row)}`
  return sourceKey(_id)
}

test('everything moves, can be read at any time, and is deleted in the old place a day later', async (context) => {
  const keys = Array.from({ length: 450 }, (_, index) => `segments/${'a'.repeat(24)}/hls/${index}.m4s`)
  await pair(database.db, places.from)
  for (const key of [...keys, sourceKey('b'.repeat(24))]) await places.from.put(key, of(key))
  let reads = 0
  const pace = async function* (body: AsyncIterable<Uint8Array>) {
    const key = keys[(reads * 7) % keys.length] ?? ''
    reads += 1
    assert.equal(await content(both, key), key)
    yield* body
  }
  assert.equal(await moveObject(places, keys[3] ?? '', { pace }), keys[3]?.length)
  const result = await move()
  assert.deepEqual({ ...result, bytes: 0 }, { objects: 450, bytes: 0, failed: 0, isComplete: true })
  for (const key of keys) assert.equal(await content(places.to, key), key)
  assert.equal((await keysOf(places.from.list('segments'))).length, 0)
  assert.equal((await keysOf(places.from.list('moved'))).length, 451)
  assert.equal((await keysOf(both.list(''))).includes('moved'), false)
  const row = await lastMove(database.db)
  assert.ok(row?.ended_at)
  assert.deepEqual([row.moved_objects, row.total_objects, row.failed_objects], [450, 450, 0])
  assert.equal(row.moved_bytes, row.total_bytes)

  assert.equal((await move()).objects, 0)
  assert.equal(await removeMoved(places.from), 0)
  const now = Date.now()
  context.mock.method(Date, 'now', () => now + 2 * 24 * 3_600_000)
  assert.equal(await removeMoved(places.from), 451)
  assert.deepEqual(await keysOf(places.from.list('')), ['installation.json'])
})

/** Runs something while an object is copied, before the copy becomes visible. */
const meanwhile = (work: () => Promise<unknown>) => {
  let isDone = false
  return async function* (body: AsyncIterable<Uint8Array>) {
    yield* body
    if (!isDone) await work()
    isDone = true
  }
}

test('an object that is replaced while it is copied keeps its new version', async () => {
  await places.from.put('pictures/a/poster', of('old'))
  await moveObject(places, 'pictures/a/poster', {
    pace: meanwhile(() => both.put('pictures/a/poster', of('new'))),
  })
  assert.equal(await content(both, 'pictures/a/poster'), 'new')
  assert.deepEqual(await keysOf(places.from.list('')), [])
})

test('an object that is removed while it is copied does not come back', async () => {
  const removals = [() => both.remove('files/a/mp4'), () => both.removeUnder('files/a')]
  for (const remove of [...removals, () => both.removeUnder('files')]) {
    await places.from.put('files/a/mp4', of('film'))
    assert.equal(await moveObject(places, 'files/a/mp4', { pace: meanwhile(remove) }), undefined)
    assert.deepEqual(await keysOf(both.list('')), [])
  }
})

test('an object that is set aside while it is copied stays set aside', async () => {
  await places.from.put('sources/a/source', of('film'))
  await moveObject(places, 'sources/a/source', {
    pace: meanwhile(() => both.move('sources/a/source', 'aside/unknown/2026-01-01/sources/a/source')),
  })
  assert.deepEqual(await keysOf(both.list('')), ['aside/unknown/2026-01-01/sources/a/source'])
  await move()
  assert.deepEqual(await keysOf(places.to.list('')), ['aside/unknown/2026-01-01/sources/a/source'])
})

test('a place that returns other bytes than it was given gets no film', async () => {
  await places.from.put('sources/a/source', of('film'))
  const broken: Storage = {
    ...places.to,
    async read(key, range) {
      await places.to.put(key, of('fil_'))
      return places.to.read(key, range)
    },
  }
  const result = await move({ places: { ...places, to: broken } })
  assert.deepEqual(result, { objects: 0, bytes: 0, failed: 1, isComplete: false })
  assert.equal(await content(both, 'sources/a/source'), 'film')
  const row = await lastMove(database.db)
  assert.equal(row?.ended_at, null)
  const [failure] = await failuresOf(database.db, row?._id ?? '')
  assert.equal(failure?.key, 'sources/a/source')
  assert.match(failure?.reason ?? '', /returned other bytes/)

  assert.equal((await move()).isComplete, true)
  assert.equal((await lastMove(database.db))?.failed_objects, 0)
})

test('of two different versions the one with the digest in the database counts', async () => {
  const [right, wrong] = [await channelWithFilm('the film'), await channelWithFilm('newer')]
  await places.from.put(right, of('the film'))
  await places.to.put(right, of('half'))
  await places.from.put(wrong, of('older'))
  await places.to.put(wrong, of('newer'))
  await move()
  assert.equal(await content(places.to, right), 'the film')
  assert.equal(await content(places.to, wrong), 'newer')
  assert.equal((await keysOf(places.from.list('moved'))).length, 2)
})

test('an upload that was begun in the old place is moved when it has ended', async () => {
  await (await places.from.openUpload('sources/a/source')).append(of('one'), 0)
  assert.equal((await move()).isComplete, false)
  const upload = await both.openUpload('sources/a/source')
  await upload.append(of('two'), 3)
  await upload.finish()
  assert.equal((await move()).isComplete, true)
  assert.equal(await content(places.to, 'sources/a/source'), 'onetwo')
})

test('films that were set aside in the old place come back to a video that needs them', async () => {
  const key = await channelWithFilm('film')
  await places.from.put(`aside/unknown/2026-01-01/${key}`, of('film'))
  assert.equal(await bringBack(database.db, both), 1)
  assert.equal(await content(both, key), 'film')
  await move()
  assert.equal(await content(places.to, key), 'film')
})

test('a second runner takes over from the first', async () => {
  for (let index = 0; index < 20; index += 1) await places.from.put(`files/a/${index}`, of('film'))
  const first = move({ rate: 1 })
  const stopped = assert.rejects(first, /Another process has begun/)
  while (!(await lastMove(database.db))?.total_objects) await new Promise(setImmediate)
  assert.equal((await move()).isComplete, true)
  await stopped
  assert.equal((await keysOf(places.to.list('files'))).length, 20)
})

test('a move in the other direction ends this one, and nothing is taken away twice', async () => {
  const { db } = database
  const { to, from, lock } = places
  await from.put('sources/a/source', of('film'))
  let isOver = false
  const slow = {
    ...to,
    async read(...args: Parameters<Storage['read']>) {
      const opened = await to.read(...args)
      if (!isOver) {
        isOver = true
        const back = { places: { to: from, from: to, lock }, names: { from: names.to, to: names.from } }
        assert.equal((await moveLibrary(db, back)).objects, 1)
      }
      return opened
    },
  }
  await assert.rejects(moveLibrary(db, { places: { ...places, to: slow }, names }), /Another process/)
  assert.equal(await content(both, 'sources/a/source'), 'film')
})

test('one storage under two names is refused', async () => {
  const { from } = places
  await pair(database.db, from)
  await from.put('sources/a/source', of('film'))
  await assert.rejects(
    openPlaces(database, place(names.to, from), place('disk', from)),
    /same storage under two names/,
  )
  assert.equal(await content(from, 'sources/a/source'), 'film')
  assert.deepEqual(await keysOf(from.list('')), ['installation.json', 'sources/a/source'])
})

test('an upload that was finished but not noted stays until it is', async () => {
  const { to, from } = places
  const key = sourceKey(newId())
  const upload = await from.openUpload(key)
  await upload.append(of('film'), 0)
  await from.put(key, of('film'))
  assert.equal((await move()).objects, 0)
  assert.deepEqual(await (await both.openUpload(key)).finish(4), {
    size: 4,
    sha256: sha256(Buffer.from('film')),
  })
  assert.equal((await move()).objects, 1)
  assert.equal(await content(to, key), 'film')
})

test('rates are read, and kept', async () => {
  assert.deepEqual(['50MB/s', '1.5 gb/s', '200kB', '7B/s'].map(readRate), [5e7, 1.5e9, 2e5, 7])
  for (const wrong of ['', '50', 'fast', '-1MB/s', '0MB/s', '5MB/h']) assert.equal(readRate(wrong), undefined)
  const begun = performance.now()
  for await (const _chunk of createPace(100_000)(of(Buffer.alloc(10_000), Buffer.alloc(10_000))));
  assert.ok(performance.now() - begun >= 190)
})

const place = (name: string, storage: Storage): StoragePlace => ({
  name,
  about: `The place ${name}`,
  open: async () => storage,
})

test('two places are opened while the old one has films of ours, and no server starts without them', async () => {
  const { db } = database
  const { to, from } = places
  const [disk, bucket] = [place('disk', from), place(names.to, to)]
  await pair(db, from)
  await channelWithFilm('film')
  await from.put('sources/a/source', of('film'))
  const open = async (current: StoragePlace, former?: StoragePlace) => {
    const opened = await openPlaces(database, current, former)
    await rememberPlaces(db, opened)
    return opened.old?.name
  }
  assert.equal(await open(disk), undefined)
  await assert.rejects(openPlaces(database, bucket, undefined), /on the disk, in DATA_DIR/)
  await assert.rejects(openPlaces(database, bucket, place('disk', await newStorage())), /another machine/)
  assert.equal(await open(bucket, disk), 'disk')
  await pair(db, to)
  await assert.rejects(openPlaces(database, disk, undefined), /are in s3:\/\/store\/films.*STORAGE_OLD_URL/)

  await move()
  await forgetPlace(db, 'disk')
  assert.equal(await open(bucket, disk), 'disk', 'what was moved is still to be deleted')
  assert.equal(await open(bucket, place('disk', await newStorage())), undefined)
  await from.removeUnder('moved')
  assert.equal(await open(bucket, disk), undefined)

  // And back.
  assert.equal(await open(disk, bucket), names.to)
  await moveLibrary(db, { places: { ...places, to: from, from: to }, names: { from: names.to, to: 'disk' } })
  await forgetPlace(db, names.to)
  assert.equal(await content(from, 'sources/a/source'), 'film')
  await to.removeUnder('moved')
  assert.equal(await open(disk), undefined)
})

test('films of another installation in the old place are never touched', async () => {
  const { db } = database
  const { to, from } = places
  await channelWithFilm('film')
  await from.put('sources/a/source', of('theirs'))
  await from.put('installation.json', of(JSON.stringify({ id: 'theirs' })))
  await pair(db, to)
  const own = place(names.to, to)
  await rememberPlaces(db, await openPlaces(database, own, place('disk', to)))
  await forgetPlace(db, 'disk')
  assert.equal((await openPlaces(database, own, place('disk', from))).old, undefined)
})

test('a move waits until every server reads the new place', async () => {
  const { db } = database
  const { to, from } = places
  await pair(db, from)
  await pair(db, to)
  await from.put('sources/a/source', of('film'))
  const opened = await openPlaces(database, place(names.to, to), place('disk', from))
  await announcePlaces(db, ['disk'])
  const refused = await readyToMove(db, opened, 0)
  assert.match(String(refused), /does not keep films in s3:\/\/store\/films yet/)
  await db`update storage_users set seen_at = now() - interval '1 minute'`
  await announcePlaces(db, ['disk', names.to])
  assert.match(String(await readyToMove(db, opened, 0)), /does not keep films/)
  await db`update storage_users set seen_at = now() - interval '1 minute'`
  await announcePlaces(db, [names.to, 'disk'])
  assert.deepEqual(Object.keys(await readyToMove(db, opened, 0)), ['places', 'names'])
  await from.put('installation.json', of(JSON.stringify({ id: 'theirs' })))
  assert.match(String(await readyToMove(db, opened, 0)), /belongs to another installation/)
})

test('a verification names what is missing and what has changed', async () => {
  const [whole, gone, cut, changed] = await Promise.all(['1111', '2222', '3333', '4444'].map(channelWithFilm))
  await places.from.put(whole ?? '', of('1111'))
  await places.to.put(cut ?? '', of('33'))
  await places.to.put(changed ?? '', of('4_44'))
  const quick = await verifyLibrary(database.db, both)
  assert.deepEqual([quick.films, quick.missing, quick.wrong], [4, 1, 1])
  const deep = await verifyLibrary(database.db, both, { isDeep: true })
  assert.deepEqual(
    new Map(deep.examples.map(({ key, trouble }) => [key, trouble])),
    new Map([
      [gone, 'missing'],
      [cut, 'size'],
      [changed, 'digest'],
    ]),
  )
})
