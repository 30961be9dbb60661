/** Lists are read from a streaming replica while it is up to date, and from the primary otherwise. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Client, createClient } from '@zoetrope/sdk'
import { until } from '../support/patience.js'
import { type PostgresPair, startPair } from '../support/replication.js'
import { makeGround, type RunningServer, readCredentials, startServer } from '../support/server-process.js'
import { openDoor } from '../support/tcp-door.js'

let pair: PostgresPair
let primaryDoor: Awaited<ReturnType<typeof openDoor>>
let replicaDoor: Awaited<ReturnType<typeof openDoor>>
let ground: Awaited<ReturnType<typeof makeGround>>
let server: RunningServer
let client: Client
before(async () => {
  pair = await startPair({ isSynchronous: false })
  primaryDoor = await openDoor(pair.primary.connection)
  replicaDoor = await openDoor(pair.standby.connection)
  ground = await makeGround()
  server = await startServer({
    ...ground.env,
    DATABASE_URL: primaryDoor.url,
    DATABASE_REPLICA_URL: replicaDoor.url,
    WORKERS: '0',
    // Every list has to be read.
    CACHE_MB: '0',
  })
  const { keys } = await readCredentials(ground.env)
  client = createClient({ url: server.url, apiKey: keys.admin, retries: 0 })
})
after(async () => {
  await server.stop()
  await replicaDoor.close()
  await primaryDoor.close()
  await pair.stop()
  await ground.remove()
})

/** How often pages of lists were the last thing that a session read. */
async function readers({ sql }: PostgresPair['primary']): Promise<number> {
  const rows = await sql`
    select from pg_stat_activity where application_name ~ '^zoetrope' and query ~ 'string_agg.*as records'
  `
  return rows.length
}

async function titles(): Promise<string[]> {
  const { response } = await client.videos.list({ per_page: 50 })
  return response.map(({ title }) => title)
}

async function warnings(): Promise<readonly string[]> {
  const reply = await fetch(`${server.url}/readyz`)
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { warnings?: string[] }).warnings ?? []
}

test('lists are read from the replica', async () => {
  await client.videos.create({ title: 'First' })
  await until('a page from the replica', async () => {
    assert.deepEqual(await titles(), ['First'])
    return (await readers(pair.standby)) > 0
  })
  assert.deepEqual(await warnings(), [])
})

test('while the replica is behind, everybody sees every change', async (t) => {
  await pair.standby.sql`select pg_wal_replay_pause()`
  t.after(() => pair.standby.sql`select pg_wal_replay_resume()`)
  for (let number = 1; number <= 10; number += 1) {
    await client.videos.create({ title: `Film ${number}` })
    assert.ok((await titles()).includes(`Film ${number}`))
  }
  const replayed = await pair.standby.sql`select from videos`
  assert.equal(replayed.length, 1)
  // Sessions are used in turns, so another statement may be the last one of all of them for a moment.
  await until('a page from the primary', async () => {
    await titles()
    return (await readers(pair.primary)) > 0
  })
})

test('while the replica is away lists are read from the primary, and readiness says so', async () => {
  replicaDoor.shut(true)
  const expected = await titles()
  await until('the warning', async () => {
    assert.deepEqual(await titles(), expected)
    return (await warnings()).some((warning) => warning.startsWith('DATABASE_REPLICA_URL cannot be reached'))
  })
  replicaDoor.shut(false)
  await until('the replica again', async () => {
    assert.deepEqual(await titles(), expected)
    return (await warnings()).length === 0
  })
  const said = () => server.output().stdout.match(/DATABASE_REPLICA_URL (cannot be reached|again)/g) ?? []
  await until('the log', () => said().length >= 2)
  assert.deepEqual(said(), ['DATABASE_REPLICA_URL cannot be reached', 'DATABASE_REPLICA_URL again'])
})

test('when the replica is killed no request fails', async () => {
  const expected = await titles()
  const [lists] = await Promise.all([
    Promise.all(Array.from({ length: 40 }, () => titles())),
    pair.standby.kill(),
  ])
  for (const each of [...lists, await titles()]) assert.deepEqual(each, expected)
})
