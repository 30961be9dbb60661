/** A database failure never makes a credential look invalid. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startOwnApi, type TestApi, type TestConsumer } from '../support/api.js'
import { addPublisher, password, signInAs, type TestPublisher } from '../support/publishers.js'

let api: TestApi
let consumer: TestConsumer
let publisher: TestPublisher
/** One request for each kind of credential; returns the status. */
let requests: Readonly<Record<string, () => Promise<number>>>

const status = async (path: string, init: RequestInit = {}) => {
  const reply = await fetch(path.startsWith('http') ? path : api.url + path, init)
  await reply.arrayBuffer()
  return reply.status
}
const token = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  status('/oauth/token', { method: 'POST', headers, body: new URLSearchParams(fields) })

before(async () => {
  api = await startOwnApi()
  const { channel } = api
  const admin = api.as('admin')
  consumer = await channel.consumer()
  publisher = await addPublisher(api, [channel, 'owner'])
  const browser = await signInAs(api, publisher)
  const video = await admin.videos.create({ title: 'Film' })
  const uploads = await admin.upload_tokens.create({ uploads: 100 })
  const { _id: playlist_id } = await admin.playlists.create({ title: 'Early films' })
  const feed = await admin.feeds.create({ playlist_id })
  const feedKey = await admin.feed_keys.create(feed._id, { name: 'Partner' })
  const { client_id, client_secret } = channel.app
  const client = { client_id, client_secret }
  const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  const { email: username, password: consumerPassword, access_token } = consumer
  const signIn = { grant_type: 'password', username, password: consumerPassword }
  requests = {
    'an admin key': () => status('/videos', { headers: { 'x-api-key': channel.keys.admin } }),
    'a read-only key': () => status('/videos', { headers: { 'x-api-key': channel.keys.read_only } }),
    'a player key': () => status(`/embed/${video._id}?api_key=${channel.keys.player}`),
    'an app key': () => status('/videos', { headers: { 'x-app-key': channel.app_key } }),
    'an access token': () => status('/videos', { headers: { authorization: `Bearer ${access_token}` } }),
    'an access token that is asked about': () => status(`/oauth/token/info?access_token=${access_token}`),
    'an upload token': () =>
      status(`/uploads/tus?upload_token=${uploads.token}`, {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'upload-length': '5' },
      }),
    'a feed key': () => status(feedKey.mrss_url ?? ''),
    'an app with its secret': () => token({ ...signIn, ...client }),
    'an app by HTTP Basic': () => token(signIn, { authorization: basic }),
    'a session of the dashboard': () => status('/dashboard/api/session', { headers: browser.headers() }),
    'a session of the dashboard in a channel': () => status('/videos', { headers: browser.headers(channel) }),
    'a password of the dashboard': () =>
      status('/dashboard/api/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: publisher.email, password }),
      }),
  }
})
after(() => api.stop())

/** Returns the status of each request. The cache of credentials is cleared before each. */
async function statuses(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, ask] of Object.entries(requests)) {
    api.parts.principals.forget()
    found[name] = await ask()
  }
  return found
}

test('every credential is still accepted when PostgreSQL has lost the prepared statements', async () => {
  const usual = await statuses()
  // Enough queries at once that each connection of the pool runs one.
  const losses = Array.from({ length: 12 }, () =>
    api.database.db.unsafe('deallocate all; select pg_sleep(0.2)').simple(),
  )
  await Promise.all(losses)

  for (const [name, found] of Object.entries(usual)) assert.ok(found < 400, `${name}: ${found}`)
  assert.deepEqual(await statuses(), usual)
})

test('a database failure during credential lookup is a server error for every kind of credential', async () => {
  const tables = ['api_keys', 'app_credentials', 'token_pairs', 'upload_tokens', 'publisher_sessions']
  const rename = (from: string, to: string) =>
    api.database.transaction(async (tx) => {
      for (const table of [...tables, 'publishers', 'feed_keys'])
        await tx.unsafe(`alter table ${from}${table} rename to ${to}${table}`)
    })
  await rename('', 'away_')
  const found = await statuses()
  await rename('away_', '')

  for (const [name, code] of Object.entries(found)) assert.ok(code >= 500, `${name}: ${code}`)
})
