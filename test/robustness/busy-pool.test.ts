/** Slow statements that hold every connection do not make the database count as unavailable. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { usualPatience, whileAlive } from '../../packages/server/src/lib/while-alive.js'
import { startApi, type TestApi } from '../support/api.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

test('while slow statements hold all connections, the server stays ready and slow requests are answered', async () => {
  const { database, url } = api
  const { most } = await database.connections()
  // Four more connections are for searches, and one checks whether the database is alive.
  const ofThePool = most - 5
  // Longer than the silence after which /readyz or a slow request gives up on a database.
  const holding = Array.from({ length: ofThePool }, () => database.db`select pg_sleep(3.5)`.execute())
  const late = () => new Error('The database was said to be away.')
  const slow = whileAlive(database, database.db`select 1 as one`, late, { ...usualPatience, slowMs: 1 })

  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  assert.equal((await slow)[0]?.one, 1)
  await Promise.all(holding)
})
