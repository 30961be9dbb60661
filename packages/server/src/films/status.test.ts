import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, openDatabase } from '../db/database.js'
import { sql } from '../db/fragment.js'
import { newId } from '../lib/object-id.js'
import { removeVideos, restoreVideos } from './removal.js'
import {
  moveStatus,
  moveStatusBeforeRemoval,
  moves,
  type StatusEvent,
  statusAfter,
  type VideoStatus,
  videoWith,
  writeWithStatus,
} from './status.js'

const statuses = ['created', 'uploading', 'processing', 'ready', 'failed', 'deleted'] as const

/** What becomes of a video in each of these statuses. A dash: it stays as it is. */
const expected: Readonly<Record<StatusEvent, string>> = {
  //                       created    uploading  processing ready      failed     deleted
  upload_begun: '          uploading  -          -          -          -          -',
  upload_ended: '          -          created    -          -          -          -',
  upload_lost: '           -          failed     -          -          -          -',
  import_begun: '          uploading  uploading  -          -          uploading  -',
  import_failed: '         -          failed     -          -          -          -',
  import_cancelled: '      -          created    -          -          -          -',
  replacement_cancelled: ' -          failed     -          -          -          -',
  film_arrived: '          processing processing processing processing processing -',
  attempt_failed: '        processing processing processing processing processing -',
  film_refused: '          failed     failed     failed     failed     failed     -',
  film_prepared: '         processing processing processing processing processing -',
  film_playable: '         ready      -          ready      ready      ready      -',
  film_waiting: '          processing -          processing processing processing -',
  film_unplayable: '       failed     -          failed     failed     failed     -',
  retried: '               processing processing processing -          processing -',
  film_lost: '             -          -          failed     -          -          -',
  plays_elsewhere: '       ready      -          -          ready      ready      -',
  plays_nowhere: '         created    -          -          created    created    -',
  removed: '               deleted    deleted    deleted    deleted    deleted    -',
}

const site_id = newId()
let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
before(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ connection: clone.connection, connections: 2 })
  await database.db`insert into channels (_id, title) values (${site_id}, 'One')`
})
after(async () => {
  await database.close()
  await clone.drop()
})

interface StatusRow {
  readonly status: VideoStatus
  readonly status_reason: string | null
  readonly status_before_removal: VideoStatus | null
}

/** A new video in this status. Its old `updated_at` shows whether it is written again. */
async function videoIn(status: VideoStatus): Promise<string> {
  const { db } = database
  const _id = newId()
  const former = status === 'deleted' ? 'uploading' : null
  await db`
    insert into videos (_id, site_id, title, friendly_title, status, status_before_removal, deleted_at, updated_at)
    values (${_id}, ${site_id}, 'A', ${_id}, ${status}, ${former}, ${former && '2020-01-01'}, '2020-01-01')
  `
  return _id
}

async function rowOf(_id: string): Promise<StatusRow & { readonly is_written: boolean }> {
  const [row] = await database.db<(StatusRow & { is_written: boolean })[]>`
    select status, status_reason, status_before_removal, updated_at > '2020-01-01' as is_written from videos
    where site_id = ${site_id} and _id = ${_id}
  `
  assert.ok(row)
  return row
}

const targetsOf = (event: StatusEvent) => expected[event].trim().split(/\s+/)

for (const event of Object.keys(expected) as StatusEvent[])
  test(`${event} moves exactly the statuses that the table names`, async () => {
    for (const [index, from] of statuses.entries()) {
      const target = targetsOf(event)[index] ?? ''
      const to = target === '-' ? from : target
      assert.equal(statusAfter(from, event), to, from)
      const _id = await videoIn(from)
      const deleted = event === 'removed' ? sql`, deleted_at = now()` : sql``
      const columns = sql`status_reason = 'A reason.' ${deleted}`
      const moved = await moveStatus(database.db, event, videoWith(site_id, _id), columns)
      const isMoved = target !== '-'
      assert.equal(moved, isMoved ? 1 : 0, from)
      const row = await rowOf(_id)
      assert.deepEqual(
        [row.status, row.status_reason, row.is_written],
        [to, isMoved ? 'A reason.' : null, isMoved],
        `from ${from}`,
      )
    }
  })

test('the table has no other events', () => {
  assert.deepEqual(Object.keys(moves).sort(), [...Object.keys(expected), 'restored'].sort())
})

test('a restored video has the status it had before it was deleted, and no other video is restored', async () => {
  for (const from of statuses) {
    const _id = await videoIn(from)
    const which = videoWith(site_id, _id)
    assert.equal(await removeVideos(database.db, which), from === 'deleted' ? 0 : 1)
    assert.equal((await rowOf(_id)).status, 'deleted')
    assert.equal(await restoreVideos(database.db, which), 1)
    const row = await rowOf(_id)
    assert.deepEqual([row.status, row.status_before_removal], [from === 'deleted' ? 'uploading' : from, null])
    assert.equal(await restoreVideos(database.db, which), 0)
  }
})

test('the database refuses a status that says something else than deleted_at', async () => {
  const [deleted, present] = [await videoIn('deleted'), await videoIn('ready')]
  const { db } = database
  await assert.rejects(db`update videos set status = 'ready' where _id = ${deleted}`, /videos_status_deleted/)
  await assert.rejects(
    db`update videos set deleted_at = now() where _id = ${present}`,
    /videos_status_deleted/,
  )
})

test('a write with several events moves the status through all of them', async () => {
  for (const from of statuses) {
    const _id = await videoIn(from)
    const columns = sql`status_reason = 'A reason.'`
    await writeWithStatus(database.db, ['film_prepared', 'film_playable'], videoWith(site_id, _id), columns)
    const row = await rowOf(_id)
    assert.equal(row.status, from === 'deleted' ? 'deleted' : 'ready', from)
    assert.equal(row.status_reason, 'A reason.')
  }
})

test('a write whose event does not apply writes its columns and leaves the status', async () => {
  const _id = await videoIn('uploading')
  await writeWithStatus(
    database.db,
    ['film_playable'],
    videoWith(site_id, _id),
    sql`status_reason = 'A reason.'`,
  )
  assert.deepEqual(await rowOf(_id), {
    status: 'uploading',
    status_reason: 'A reason.',
    status_before_removal: null,
    is_written: true,
  })
})

test('an event while a video is deleted moves the status that it gets back', async () => {
  const _id = await videoIn('deleted')
  await moveStatusBeforeRemoval(database.db, 'film_lost', videoWith(site_id, _id))
  assert.equal((await rowOf(_id)).status_before_removal, 'uploading')
  await moveStatusBeforeRemoval(database.db, 'upload_ended', videoWith(site_id, _id))
  const row = await rowOf(_id)
  assert.deepEqual([row.status, row.status_before_removal], ['deleted', 'created'])
})
