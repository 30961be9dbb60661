import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { urlOf } from '../../../../test/support/postgres.js'
import { openPool } from './connections.js'

test('a connection that is released twice works for the next client', async () => {
  const clone = await cloneDatabase()
  const pool = openPool(urlOf(clone.connection), { max: 1 })
  await new Promise<void>((resolve, reject) => {
    pool.connect((error, _client, release) => {
      if (error) return reject(error)
      release()
      assert.doesNotThrow(() => release())
      resolve()
    })
  })
  const client = await pool.connect()
  assert.deepEqual((await client.query('select 42 as answer')).rows, [{ answer: 42 }])
  client.release()
  assert.deepEqual((await pool.query('select 1 as one')).rows, [{ one: 1 }])
  await pool.end()
  await clone.drop()
})
