import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { openReplica, type Replica } from './replica.js'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let replica: Replica
const changes: (string | undefined)[] = []
before(async () => {
  clone = await cloneDatabase()
  const onChange = (trouble: string | undefined) => changes.push(trouble)
  replica = openReplica({ connection: clone.connection, connections: 2, onChange })
})
after(async () => {
  await replica.close()
  await clone.drop()
})

test('a request that the database would refuse too says nothing about the replica', async () => {
  await assert.rejects(
    replica.read(({ db }) => db`select ${'no number'}::text::int`),
    { code: '22P02' },
  )
  assert.equal((await replica.read(({ db }) => db<{ one: number }[]>`select 1 as one`))?.[0]?.one, 1)
  assert.deepEqual(changes, [])
})

test('a slow list is waited for while the replica answers', async () => {
  const found = await replica.read(({ db }) => db<{ one: number }[]>`select 1 as one from pg_sleep(2.5)`)
  assert.equal(found?.[0]?.one, 1)
  assert.deepEqual(changes, [])
})

test('a table that the replica does not have yet is read from the database', async () => {
  assert.equal(await replica.read(({ db }) => db`select from not_there_yet`), undefined)
  assert.deepEqual(changes, [])
})
