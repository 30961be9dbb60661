/**
 * Hostile requests, generated from the contract and the OpenAPI document. None may cause a 5xx, hang or stop the
 * server. TEST_SEED=7 tries different ones, `npm run lab -- fuzz` many more. A failure prints the request and the seed.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { logged, startOwnApi, type TestApi } from '../support/api.js'
import { newState, runFuzz } from '../support/fuzz/engine.js'
import { patienceMs } from '../support/patience.js'
import { seed } from '../support/random.js'
import { noteOnlyMadePasswords } from '../support/secrets.js'

const wanted = 2000

let api: TestApi
const state = newState(seed)

before(async () => {
  api = await startOwnApi()
  noteOnlyMadePasswords()
})
after(() => api.stop())

test('hostile requests to every operation are answered with 2xx or 4xx and a message', async (context) => {
  await runFuzz({ api, state, until: wanted, atOnce: 2, patienceMs, records: 2 })

  context.diagnostic(`${state.next} requests, seed ${seed}, slowest ${state.slowestMs} ms`)
  assert.deepEqual(state.findings, [])
})

test('half of the requests come near enough to succeed for most operations', () => {
  const near = Object.entries(state.counts).filter(([kind]) => kind.startsWith('nearly valid'))
  const sent = near.flatMap(([, counts]) => Object.values(counts)).reduce((sum, count) => sum + count, 0)

  assert.equal(sent, wanted / 2)
  assert.equal(state.unmade, 0)
  assert.ok(
    Object.keys(state.succeeded).length > 120,
    `only ${Object.keys(state.succeeded).length} operations`,
  )
})

test('after all this the server is ready, has logged no fault and works as before', async () => {
  assert.deepEqual(
    logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
    [],
  )
  assert.equal((await fetch(`${api.url}/readyz`)).status, 200)
  assert.equal(({} as { title?: string }).title, undefined)

  const { videos } = api.as('admin')
  const made = await videos.create({ title: 'After the storm' })
  const { response } = await videos.list({ id: [made._id] })
  assert.deepEqual(response, [made])
})
