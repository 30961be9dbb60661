import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { until } from '../../../../test/support/patience.js'
import { type Database, openDatabase } from '../db/database.js'
import { keepRecord, readRecord } from '../db/records.js'
import { newId } from '../lib/object-id.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { openFileStorage } from '../storage/file-storage.js'
import type { Storage } from '../storage/storage.js'
import { beginVerify, lastVerify } from './verify-runs.js'

let folder: string
let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
let storage: Storage
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-verify-'))
  clone = await cloneDatabase()
  database = openDatabase({ connection: clone.connection, connections: 4 })
  storage = await openFileStorage(folder)
  const site_id = '1'.repeat(24)
  const { db } = database
  await db`insert into channels (_id, title) values (${site_id}, 'One')`
  for (const isThere of [true, false]) {
    const [_id, video_id] = [newId(), newId()]
    if (isThere) await storage.put(sourceKey(_id), Readable.from([Buffer.from('x')]))
    await db`insert into videos ${db({ _id: video_id, site_id, title: 'Film', friendly_title: video_id })}`
    await db`insert into sources ${db({ _id, site_id, video_id, bytes: 1, sha256: '' })}`
  }
})
after(async () => {
  await database.close()
  await clone.drop()
  await rm(folder, { recursive: true, force: true })
})

/** The same storage, which answers only when it is let. */
function slowed() {
  let runs = 0
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const slow: Storage = {
    ...storage,
    async stat(key) {
      runs += 1
      await gate
      return storage.stat(key)
    },
  }
  return { slow, letGo, runs: () => runs }
}

const ended = () =>
  until('the end of the run', async () => {
    const last = await lastVerify(database.db)
    return last?.is_running === false ? last : undefined
  })

test('of two servers that begin at once one verifies, and says so while the store does not answer', async () => {
  const { db } = database
  assert.equal(await lastVerify(db), undefined)
  const { slow, letGo, runs } = slowed()
  await Promise.all([beginVerify(db, slow), beginVerify(db, slow), beginVerify(db, slow)])
  const said = await readRecord(db, 'storage_verify')
  await until('a sign of life', async () => (await readRecord(db, 'storage_verify')) !== said)
  await beginVerify(db, slow)
  assert.equal((await lastVerify(db))?.is_running, true)
  assert.equal(runs(), 1)
  letGo()
  const { checked, missing, wrong, problem } = await ended()
  assert.deepEqual({ checked, missing, wrong, problem }, { checked: 2, missing: 1, wrong: 0, problem: null })
})

test('a run that says nothing for a minute has ended, and another can begin', async () => {
  const { db } = database
  const kept = JSON.parse((await readRecord(db, 'storage_verify')) ?? '{}')
  const silent = { ...kept, ended_at: null, checked: 0, seen_at: new Date(Date.now() - 61_000).toISOString() }
  await keepRecord(db, 'storage_verify', JSON.stringify(silent))
  assert.equal((await lastVerify(db))?.is_running, false)
  await beginVerify(db, storage)
  await until('the end of the run', async () => (await lastVerify(db))?.ended_at ?? undefined)
  assert.equal((await lastVerify(db))?.checked, 2)
})

test('a film that is deleted while it is looked at is not missing', async () => {
  const { db } = database
  const { slow, letGo, runs } = slowed()
  await beginVerify(db, slow)
  await until('the first look at the storage', () => runs() > 0)
  await db`delete from sources`
  letGo()
  assert.equal((await ended()).missing, 0)
})
