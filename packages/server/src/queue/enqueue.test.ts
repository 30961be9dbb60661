import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, openDatabase } from '../db/database.js'
import { enqueue } from './enqueue.js'
import type { Job } from './job.js'
import { migrateQueue } from './worker.js'

const greet: Job<{ who: string; nested: { list: number[] } }> = {
  name: 'greet',
  attempts: 7,
  run: async () => {},
}
const wave: Job<{ who: string }> = { name: 'wave', attempts: 1, run: async () => {} }

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
before(async () => {
  clone = await cloneDatabase()
  const { host, port, database: name, username } = clone.connection
  await migrateQueue(`postgres://${username}@${encodeURIComponent(host)}:${port}/${name}`)
  database = openDatabase({ connection: clone.connection, connections: 4 })
})
after(async () => {
  await database.close()
  await clone.drop()
})

const waiting = () => database.db<
  { task: string; payload: unknown; max_attempts: number; key: string | null }[]
>`
  select identifier as task, payload, max_attempts, key
  from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
  order by jobs.id
`

test('a job is queued once its transaction commits, with its payload and its own number of attempts', async () => {
  const payload = { who: 'Zoë "quoted"', nested: { list: [1, 2] } }
  await database.transaction(async (tx) => {
    await enqueue(tx, greet, payload)
    assert.equal((await waiting()).length, 0)
  })
  assert.deepEqual([...(await waiting())], [{ task: 'greet', payload, max_attempts: 7, key: null }])
})

test('a rolled-back transaction queues nothing', async () => {
  const earlier = (await waiting()).length
  await assert.rejects(
    database.transaction(async (tx) => {
      await enqueue(tx, wave, { who: 'nobody' }, { key: 'undone' })
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  assert.equal((await waiting()).length, earlier)
})

test('a key is queued once, with the latest payload, and only within its job', async () => {
  const earlier = (await waiting()).length
  await Promise.all(
    ['a', 'b', 'c'].map((who) => database.transaction((tx) => enqueue(tx, wave, { who }, { key: 'one' }))),
  )
  await enqueue(database.db, wave, { who: 'last' }, { key: 'one' })
  await enqueue(database.db, greet, { who: 'other', nested: { list: [] } }, { key: 'one' })
  await enqueue(database.db, wave, { who: 'two' }, { key: 'two' })
  assert.equal((await waiting()).length, earlier + 3)
  const [first] = (await waiting()).filter(({ key }) => key === 'wave:one')
  assert.deepEqual(first?.payload, { who: 'last' })
})
