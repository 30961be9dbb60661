/**
 * The primary of two PostgreSQL servers is killed, and the standby takes its place at the same address. A server and its
 * worker go on without a restart, and nothing acknowledged is lost.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@zoetrope/sdk'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { auditEvents, startWriting } from '../support/chaos-events.js'
import { makeClip } from '../support/clip.js'
import { until } from '../support/patience.js'
import { workersOf } from '../support/processes.js'
import { type PostgresPair, startPair } from '../support/replication.js'
import { makeGround, type RunningServer, readCredentials, startServer } from '../support/server-process.js'
import { openDoor } from '../support/tcp-door.js'
import { type Receiver, startReceiver } from '../support/webhook-receiver.js'

let pair: PostgresPair
let door: Awaited<ReturnType<typeof openDoor>>
let ground: Awaited<ReturnType<typeof makeGround>>
let receiver: Receiver
let server: RunningServer
let key: string
before(async () => {
  pair = await startPair({ isSynchronous: true })
  door = await openDoor(pair.primary.connection)
  ground = await makeGround()
  receiver = await startReceiver()
  const settings = { DATABASE_URL: door.url, WEBHOOK_NETWORKS: 'loopback', LOG_LEVEL: 'warn' }
  server = await startServer({ ...ground.env, ...settings })
  key = (await readCredentials(ground.env)).keys.admin
})
after(async () => {
  await server.stop()
  await receiver.stop()
  await door.close()
  await pair.stop()
  await ground.remove()
})

const send = (method: string, path: string, body?: object) =>
  fetch(server.url + path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

/** Writes continuously, and repeats no request. Notes what was acknowledged, and the other answers. */
function startProbing() {
  const acknowledged: string[] = []
  const refused: { status: number; retry: string | null; message: string }[] = []
  let isStopped = false
  const probe = async () => {
    while (!isStopped) {
      const reply = await send('POST', '/playlists', { playlist: { title: 'Probe' } })
      const { response, message } = (await reply.json()) as { response?: { _id: string }; message: string }
      if (response) acknowledged.push(response._id)
      else refused.push({ status: reply.status, retry: reply.headers.get('retry-after'), message })
      await delay(50)
    }
  }
  const running = probe()
  return {
    acknowledged,
    refused,
    async stop() {
      isStopped = true
      await running
    },
  }
}

async function uploadClip(): Promise<string> {
  const form = new FormData()
  form.set('video[title]', 'Film')
  const file = await makeClip({ size: '320x240', seconds: 4, rate: '12' })
  form.set('source', new Blob([await readFile(file)]), 'clip.mp4')
  const reply = await fetch(`${server.url}/uploads?api_key=${key}`, { method: 'POST', body: form })
  assert.equal(reply.status, 201)
  return ((await reply.json()) as { response: { _id: string } }).response._id
}

test('writes get 503 for a while, everything goes on by itself, and nothing acknowledged is lost', async (context) => {
  const client = createClient({ url: server.url, apiKey: key, retries: 4 })
  await client.webhooks.create({ url: receiver.url, events: ['video.*'] })
  const [worker] = await workersOf(server.pid)
  const database = openDatabase({ connection: door.url, connections: 1 })
  const heard: string[] = []
  await database.listen('news', (message) => heard.push(message))
  const writing = startWriting(client, 2, 50)
  const probing = startProbing()
  await until('a delivery', () => receiver.received.length > 5)
  const film = await uploadClip()
  const before = probing.acknowledged.length
  await until('more writes', () => probing.acknowledged.length > before + 5)

  await pair.primary.kill()
  const begun = performance.now()
  await until('a refusal', () => probing.refused.length > 0)
  // For a moment the address leads to a server that can only be read.
  door.leadTo(pair.standby.connection)
  const { sql } = pair.standby
  await until('sessions on the standby', async () => {
    const rows =
      await sql`select from pg_stat_activity where application_name ~ '^zoetrope' and query ~ '^listen'`
    return rows.length >= 2
  })
  const readOnly = await send('POST', '/playlists', { playlist: { title: 'Too early' } })
  assert.deepEqual([readOnly.status, readOnly.headers.get('retry-after')], [503, '1'])
  await sql`select pg_promote()`
  const done = probing.acknowledged.length
  await until('a write', () => probing.acknowledged.length > done + 5)
  context.diagnostic(`writes work again ${Math.round(performance.now() - begun)} ms after the kill`)
  await probing.stop()
  await writing.stop()
  await until('the film', async () => (await client.videos.get(film)).status === 'ready')

  const statuses = new Set(probing.refused.map(({ status }) => status))
  assert.deepEqual([...statuses], [503])
  assert.ok(probing.refused.some(({ retry }) => retry === '1'))
  for (const { retry, message } of probing.refused)
    assert.ok(retry !== null || /Check whether it was done before you repeat it/.test(message), message)
  const rows = await sql<{ _id: string }[]>`select _id from playlists`
  const kept = new Set(rows.map(({ _id }) => _id))
  assert.deepEqual(
    probing.acknowledged.filter((id) => !kept.has(id)),
    [],
  )
  const { wrongRecords, lost, invented } = await auditEvents(pair.standby.connection, writing, receiver)
  const { size } = writing.created
  // The film is the only other record.
  assert.deepEqual([wrongRecords, lost, invented], [[`${size + 1} rows of ${size} records`], [], []])
  assert.deepEqual(await workersOf(server.pid), [worker])
  await until('a notification', async () => {
    await sql`select pg_notify('news', 'from the new primary')`
    return heard.includes('from the new primary')
  })
  await database.close()
})
