import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@zoetrope/sdk'
import { cloneDatabase } from '../support/database.js'
import { noteFields } from '../support/secrets.js'
import {
  type Credentials,
  makeGround,
  type RunningServer,
  readCredentials,
  startServer,
} from '../support/server-process.js'
import { openDoor } from '../support/tcp-door.js'
import { appAt, passwordOf, refreshOf, type TokenBody } from './oauth-requests.js'

let credentials: Credentials
let servers: readonly RunningServer[] = []
const clearing: (() => Promise<unknown>)[] = []
const viewer = { email: 'burst@example.com', password: 'seen from two processes' }

before(async () => {
  const { connection, drop } = await cloneDatabase()
  const door = await openDoor(connection)
  clearing.push(door.close, drop)
  const start = async () => {
    const ground = await makeGround()
    clearing.unshift(ground.remove)
    const settings = {
      DATABASE_URL: door.url,
      SECRET_KEY: 'one key for both processes, long enough',
    }
    const server = await startServer({ ...ground.env, ...settings })
    servers = [...servers, server]
    return ground.env
  }
  credentials = await readCredentials(await start())
  await start()
  noteFields(viewer)
  const { consumers } = createClient({ url: String(servers[0]?.url), apiKey: credentials.keys.admin })
  await consumers.create(viewer)
})
after(async () => {
  for (const server of servers) await server.stop()
  for (const clear of clearing) await clear()
})

/** Polls one server; returns when the token last worked, and the responses. */
async function burst(url: string, access_token: string, isOver: () => boolean) {
  let lastGood = 0
  const statuses = new Set<number>()
  while (!isOver()) {
    const { status, body } = await fetch(`${url}/videos?access_token=${access_token}`)
    await body?.cancel()
    if (status === 200) lastGood = performance.now()
    statuses.add(status)
    await delay(2)
  }
  return { lastGood, statuses }
}

const endings: Readonly<Record<string, (tokens: TokenBody, url: string) => Promise<{ status: number }>>> = {
  revoked: ({ access_token }, url) => appAt(url, credentials.app).revoke(access_token),
  'replaced by a refresh': ({ refresh_token }, url) =>
    appAt(url, credentials.app).token(refreshOf(refresh_token)),
}

for (const [name, end] of Object.entries(endings))
  test(`a token that is ${name} during a burst stops on two processes within a second`, async () => {
    const [one, two] = servers.map(({ url }) => url) as [string, string]
    const { body: tokens } = await appAt(one, credentials.app).token(passwordOf(viewer))
    let ended = Number.POSITIVE_INFINITY
    const isOver = () => performance.now() > ended + 1500
    const bursts = Promise.all([one, two, two, one].map((url) => burst(url, tokens.access_token, isOver)))
    await delay(600)
    const { status } = await end(tokens, one)
    ended = performance.now()
    assert.equal(status, 200)
    for (const { lastGood, statuses } of await bursts) {
      assert.deepEqual([...statuses], [200, 401])
      assert.ok(lastGood - ended < 1000, `It was good for ${Math.round(lastGood - ended)} ms more.`)
    }
  })

test('twenty refreshes on two processes at once give one pair', async () => {
  const [one, two] = servers.map(({ url }) => url) as [string, string]
  const { body: tokens } = await appAt(one, credentials.app).token(passwordOf(viewer))
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      appAt(turn % 2 ? one : two, credentials.app).token(refreshOf(tokens.refresh_token)),
    ),
  )
  const refused = replies.filter(({ status }) => status !== 200)
  assert.deepEqual(refused, [])
  assert.equal(new Set(replies.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size, 1)
})
