import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { shownOnce } from '@zoetrope/contract'
import { createClient } from '@zoetrope/sdk'
import { startApi, type TestApi } from '../support/api.js'
import { until } from '../support/patience.js'
import { type Endpoint, endpoints, makeTarget, ownerFor, perform, type Target } from './access-targets.js'
import { ask, type Reply } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

interface Sent {
  readonly key?: string
  readonly method?: string
  readonly credential?: string
  readonly body?: object
}

function send(path: string, { key, method = 'POST', credential, body }: Sent = {}): Promise<Reply> {
  return ask(api.url + path, 'json', {
    method,
    headers: {
      'x-api-key': credential ?? api.channel.keys.admin,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

const replayed = ({ headers }: Reply) => headers.get('idempotent-replayed')

test('the same request with the same key is done once, and gets the same answer again', async () => {
  const key = randomUUID()
  const create = () => send('/videos', { key, body: { title: 'Once' } })
  const first = await create()
  const second = await create()
  assert.deepEqual([first.status, replayed(first)], [201, null])
  assert.deepEqual([second.status, replayed(second)], [201, 'true'])
  assert.equal(second.text, first.text)
  assert.equal(second.headers.get('content-type'), first.headers.get('content-type'))
  const { response } = await api.as('admin').videos.list({ q: 'Once' })
  assert.equal(response.length, 1)
  const removal = randomUUID()
  const remove = () => send(`/videos/${first.body.response._id}`, { key: removal, method: 'DELETE' })
  assert.deepEqual([(await remove()).status, (await remove()).status], [204, 204])
  assert.equal((await send(`/videos/${first.body.response._id}`, { method: 'DELETE' })).status, 404)
})

test('the answer to a write with a key names its events, the newest first', async () => {
  const created = await send('/playlists', { key: randomUUID(), body: { title: 'Named' } })
  const id = String(created.body.response._id)
  const updated = await send(`/playlists/${id}`, {
    key: randomUUID(),
    method: 'PUT',
    body: { title: 'Renamed' },
  })
  const removed = await send(`/playlists/${id}`, { key: randomUUID(), method: 'DELETE' })
  // Events are listed once no transaction that began before them can add older ones.
  const response = await until('the events', async () => {
    const { response } = await api.as('admin').events.list({ record_id: id, order: 'asc' })
    return response.length >= 3 && response
  })
  assert.deepEqual(
    [created, updated, removed].map(({ headers }) => headers.get('event-id')),
    response.map(({ _id }) => _id),
  )
  const unchanged = await send('/videos', { key: randomUUID(), body: { title: '' } })
  assert.equal(unchanged.headers.get('event-id'), null)
})

test('a write whose answer is lost after the commit is repeated by the SDK, and done once', async (t) => {
  const { port } = new URL(api.url)
  let cut = 0
  const proxy = createServer((outer) => {
    const inner = connect(Number(port), '127.0.0.1')
    outer.pipe(inner).on('error', () => outer.destroy())
    outer.on('error', () => inner.destroy())
    inner.on('data', (answer) => {
      // The server answers a write after its commit.
      if (cut++ === 0) outer.destroy()
      else outer.write(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => proxy.close())
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const client = createClient({ url, apiKey: api.channel.keys.admin })
  const { _id } = await client.categories.create({ title: 'Cut off' })
  assert.ok(cut > 1)
  const { response } = await api.as('admin').categories.list({ q: 'Cut off' })
  assert.deepEqual(
    response.map((category) => category._id),
    [_id],
  )
})

test('another request with the same key is refused, and another credential has keys of its own', async () => {
  const key = randomUUID()
  assert.equal((await send('/playlists', { key, body: { title: 'One' } })).status, 201)
  const other = await send('/playlists', { key, body: { title: 'Two' } })
  assert.equal(other.status, 422)
  assert.match(other.body.message, /used for another request/)
  const named = await api.as('admin').keys.create({ name: randomUUID(), scopes: ['playlists:write'] })
  const byOther = await send('/playlists', { key, credential: named.key ?? '', body: { title: 'One' } })
  assert.deepEqual([byOther.status, replayed(byOther)], [201, null])
  const abroad = { key, credential: api.other.keys.admin, body: { title: 'One' } }
  assert.equal(replayed(await send('/playlists', abroad)), null)
})

test('of twenty equal requests at once, one is done and all get its answer', async () => {
  const key = randomUUID()
  const title = `Raced ${key}`
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => send('/categories', { key, body: { title } })),
  )
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201])
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal(replies.filter((reply) => replayed(reply) === null).length, 1)
})

test('an error is not stored: a repeated request is tried again', async () => {
  const key = randomUUID()
  const title = `Taken ${key}`
  const { _id } = await api.as('admin').categories.create({ title })
  assert.equal((await send('/categories', { key, body: { title } })).status, 422)
  await api.as('admin').categories.remove(_id)
  const again = await send('/categories', { key, body: { title } })
  assert.deepEqual([again.status, replayed(again)], [201, null])
})

test('keys have up to 255 visible characters', async () => {
  for (const key of ['', ' ', 'a b', 'é', 'a'.repeat(256)])
    assert.equal(
      (await send('/playlists', { key, body: { title: 'Key' } }).catch(() => ({ status: 422 }))).status,
      422,
      key,
    )
  assert.equal((await send('/playlists', { key: 'a'.repeat(255), body: { title: 'Key' } })).status, 201)
})

test('answers are stored sealed, and are used for a day', async () => {
  const { db } = api.database
  const key = randomUUID()
  const create = () => send('/apps', { key, body: { title: 'Sealed' } })
  const first = await create()
  const [row] = await db`select body, digest::text from idempotent_requests where key = ${key}`
  assert.ok(!row?.body.toString('latin1').includes(String(first.body.response.app_key)))
  assert.equal((await create()).text, first.text)
  await db`update idempotent_requests set created_at = now() - interval '25 hours' where key = ${key}`
  const later = await create()
  assert.equal(replayed(later), null)
  assert.notEqual(later.body.response._id, first.body.response._id)
})

test('a key is no way around the limits on guessing', async () => {
  const { access_token } = await api.channel.consumer()
  const guess = async () =>
    ask(`${api.url}/redemption_codes/redeem`, 'json', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ code: randomUUID() }),
    })
  let last = await guess()
  for (let tries = 0; tries < 30 && last.status !== 429; tries += 1) last = await guess()
  assert.equal(last.status, 429)
})

const writing = endpoints.filter(({ method }) => method !== 'GET')

const targetOf = async (endpoint: Endpoint) =>
  makeTarget(api, api.channel, endpoint, await ownerFor(api.channel, endpoint))

/** A fingerprint of all rows of the channel, in every table that a request could write to. */
async function rowsOf(): Promise<string> {
  const site = api.channel.channel._id
  tables ??= await api.database.db<{ name: string }[]>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'site_id'
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('request_log', 'api_keys', 'list_changes', 'list_minutes', 'list_days', 'list_versions')
  `
  const sums = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, sum(hashtext(${name}::text)) as hash from ${name} where site_id = '${site}'`,
  )
  // Prepared, because planning a statement over so many tables takes longer than running it.
  return JSON.stringify(await api.database.db.unsafe(sums.join(' union all '), [], { prepare: true }))
}
let tables: readonly { readonly name: string }[] | undefined

const jobs = async () =>
  (await api.database.db`select count(*)::int as count from graphile_worker._private_jobs`)[0]?.count

/** Removals have their fields in the query string, others in the body. */
const tried = (endpoint: Endpoint, target: Target, headers: Record<string, string>) =>
  endpoint.method === 'DELETE'
    ? perform(api, endpoint, { ...target, fields: { ...target.fields, dry_run: true } }, headers, 'json')
    : perform(api, { ...endpoint, path: `${endpoint.path}?dry_run=true` }, target, headers, 'json')

for (const endpoint of writing)
  test(`${endpoint.method} ${endpoint.path} with dry_run answers as usual and changes nothing; with a key it is done once`, async () => {
    const target = await targetOf(endpoint)
    const headers = { 'x-api-key': api.channel.keys.admin }
    const before = await rowsOf()
    const waiting = await jobs()
    const dry = await tried(endpoint, target, headers)
    assert.equal(dry.status, endpoint.success, dry.text)
    assert.equal(dry.headers.get('dry-run'), 'true')
    assert.equal(await rowsOf(), before)
    assert.equal(await jobs(), waiting)
    const once = { ...headers, 'idempotency-key': randomUUID() }
    const first = await perform(api, endpoint, target, once, 'json')
    assert.equal(first.status, endpoint.success, first.text)
    assert.deepEqual(Object.keys(dry.body.response ?? {}), Object.keys(first.body.response ?? {}))
    const second = await perform(api, endpoint, target, once, 'json')
    assert.deepEqual([second.status, replayed(second)], [first.status, 'true'])
    const { response } = first.body ?? {}
    if (response)
      for (const name of shownOnce(endpoint.resource)) (response as Record<string, unknown>)[name] &&= null
    assert.deepEqual(second.body, first.body)
  })

for (const endpoint of writing.filter(({ name }) => name === 'update' || name === 'remove'))
  test(`${endpoint.method} ${endpoint.path} with If-Match is done only if the record is as it was read`, async () => {
    const target = await targetOf(endpoint)
    const key = { 'x-api-key': api.channel.keys.admin }
    const get = { ...endpoint, method: 'GET', name: 'get' }
    const read = () => perform(api, get, { ...target, fields: {} }, key, 'json')
    const before = await read()
    const etag = String(before.headers.get('etag'))
    const stale = await perform(api, endpoint, target, { ...key, 'if-match': '"old"' }, 'json')
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'], stale.text)
    assert.equal((await read()).text, before.text)
    const known = { ...key, 'if-match': `"old", W/${etag}`, 'idempotency-key': randomUUID() }
    const done = await perform(api, endpoint, target, known, 'json')
    assert.equal(done.status, endpoint.success, done.text)
    const again = await perform(api, endpoint, target, known, 'json')
    assert.deepEqual([again.status, replayed(again)], [done.status, 'true'])
  })

test('of many changes with the same ETag one is made', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Contested' })
  let ifMatch = ''
  await api.as('admin').videos.get(_id, { onEtag: (etag) => (ifMatch = etag) })
  const titles = Array.from({ length: 12 }, (_, index) => `Winner ${index}`)
  const outcomes = await Promise.allSettled(
    titles.map((title) => api.as('admin').videos.update(_id, { title }, { ifMatch })),
  )
  const made = outcomes.filter(({ status }) => status === 'fulfilled')
  assert.equal(made.length, 1)
  for (const outcome of outcomes) if (outcome.status === 'rejected') assert.equal(outcome.reason.status, 412)
})

test('If-Match is refused where there is no record to compare', async () => {
  const key = { 'x-api-key': api.channel.keys.admin, 'if-match': '"any"' }
  const form = { method: 'POST', headers: key, body: new URLSearchParams({ 'video[title]': 'New' }) }
  assert.equal((await ask(`${api.url}/videos`, 'json', form)).status, 422)
})

test('a secret that is shown once is not stored for repeated requests', async () => {
  const [key, body] = [randomUUID(), { name: randomUUID(), scopes: ['videos:read'] }]
  const [first, second] = [await send('/keys', { key, body }), await send('/keys', { key, body })]
  assert.match(String(first.body.response.key), /^zk_named_/)
  assert.deepEqual([second.status, second.body.response.key], [201, null])
})
