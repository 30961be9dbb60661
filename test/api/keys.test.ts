import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@zoetrope/contract'
import { createClient } from '@zoetrope/sdk'
import { type Format, formats, startApi, type TestApi } from '../support/api.js'
import { until } from '../support/patience.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { ask } from './ask.js'

let api: TestApi
/** Another server of the same installation, behind a proxy. */
let second: Awaited<ReturnType<TestApi['startNode']>>
before(async () => {
  api = await startApi()
  second = await api.startNode({ trustedProxies: ['loopback'] })
})
after(async () => {
  await second.stop()
  await api.stop()
})

const nextName = () => `Key ${randomUUID()}`

/** Creates a named key of the first channel. */
async function addKey(scopes: string[], fields: { allowed_networks?: string[]; expires_at?: Date } = {}) {
  const made = await api.as('admin').keys.create({ name: nextName(), scopes, ...fields })
  return { ...made, key: made.key ?? '' }
}

const clientOf = (key: string) => createClient({ url: api.url, apiKey: key, retries: 0 })
const statusOf = async (key: string, url = api.url, path = '/videos') =>
  (await ask(`${url}${path}`, 'json', { headers: { 'x-api-key': key } })).status

for (const format of formats as Iterable<Format>)
  test(`a named key is created, shown once, changed and revoked (${format})`, async () => {
    const { keys } = api.as('admin', format)
    const name = nextName()
    const expires_at = new Date(Date.now() + 3_600_000)
    const made = await keys.create({
      name,
      scopes: ['videos:read', 'videos:write', 'videos:read'],
      expires_at,
    })
    const key = made.key ?? ''

    assert.match(key, /^zk_named_[0-9a-f]{40}$/)
    assert.deepEqual(
      [made.name, made.scopes, made.allowed_networks, made.last_four],
      [name, ['videos:read', 'videos:write'], [], key.slice(-4)],
    )
    assert.equal(new Date(made.expires_at ?? 0).getTime(), expires_at.getTime())
    assert.deepEqual(await keys.get(made._id), { ...made, key: null })
    assert.deepEqual((await keys.list({ q: name })).response, [{ ...made, key: null }])
    assert.deepEqual([await statusOf(key), await statusOf(key, api.url, '/playlists')], [200, 403])

    const changed = await keys.update(made._id, { scopes: ['playlists:read'], expires_at: null })
    assert.deepEqual([changed.key, changed.scopes, changed.expires_at], [null, ['playlists:read'], null])
    assert.deepEqual([await statusOf(key), await statusOf(key, api.url, '/playlists')], [403, 200])
    await keys.remove(made._id)
    const { status, body } = await ask(`${api.url}/playlists?api_key=${key}`)
    assert.deepEqual([status, body.message], [401, 'Invalid or missing authentication.'])
  })

test('only a digest of a named key is stored', async () => {
  const { _id, key } = await addKey(['videos:read'])
  const [row] = await api.database
    .db`select to_jsonb(named_keys)::text as row from named_keys where _id = ${_id}`
  assert.ok(!row?.row.includes(key.slice('zk_named_'.length, -4)))
  assert.ok(row?.row.includes(api.parts.sealer.digest(key).toString('hex')))
})

test('a key that cannot work is refused, and the message says why', async () => {
  const { keys } = api.as('admin')
  const { name } = await addKey(['videos:read'])
  const scopes = ['videos:read']
  const attempts = [
    [{ name: 'Odd', scopes: [] }, 'scopes', /at least one/],
    [{ name: 'Odd' }, 'scopes', /required/],
    [{ name: 'Odd', scopes: ['videos:delete'] }, 'scopes', /videos:delete, .*videos:read and videos:write/],
    [{ name: 'Odd', scopes: ['keys:write'] }, 'scopes', /keys:write, which is not a scope/],
    [{ name: '', scopes }, 'name', /required|empty|blank/],
    [{ name: 'x'.repeat(101), scopes }, 'name', /100/],
    [{ name: name.toUpperCase(), scopes }, 'name', /is the name of another key/],
    [{ name: 'Odd', scopes, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', /in the future/],
    [{ name: 'Odd', scopes, allowed_networks: ['10.0.0.0/33'] }, 'allowed_networks', /10\.0\.0\.0\/33/],
    [{ name: 'Odd', scopes, allowed_networks: ['example.com'] }, 'allowed_networks', /neither an address/],
  ] as const
  for (const [fields, field, why] of attempts) {
    const { status, body } = await ask(`${api.url}/keys`, 'json', {
      method: 'POST',
      headers: { 'x-api-key': api.channel.keys.admin, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
    assert.equal(status, 422, JSON.stringify(fields))
    assert.match(String(body.errors[field]), why)
  }
  const { _id } = await addKey(scopes)
  await assert.rejects(keys.update(_id, { name }), { status: 422 })
  await assert.rejects(keys.update(_id, { scopes: ['*:all'] }), { status: 422 })
})

test('a channel has a limited number of named keys', async () => {
  const { keys } = api.other.as('admin')
  const { channel } = api.other
  await keys.create({ name: 'First', scopes: ['*:read'] })
  await api.database.db`
    insert into named_keys (_id, site_id, name, scopes, last_four, digest)
    select lpad(to_hex(n), 24, 'a'), ${channel._id}, 'Filler ' || n, '{*:read}', 'abcd', decode(md5(${channel._id} || n), 'hex')
    from generate_series(1, ${limits.keys.value - 1}) as n
  `
  await assert.rejects(keys.create({ name: 'Last', scopes: ['*:read'] }), /at most 100 named keys/)
  await api.database.db`delete from named_keys where site_id = ${channel._id} and name = 'Filler 1'`
  assert.ok(await keys.create({ name: 'Last', scopes: ['*:read'] }))
  await api.database.db`delete from named_keys where site_id = ${channel._id}`
})

test('an expired key is refused like a wrong one', async () => {
  const { _id, key } = await addKey(['videos:read'], { expires_at: new Date(Date.now() + 3_600_000) })
  assert.equal(await statusOf(key), 200)
  await api.database.db`update named_keys set expires_at = now() where _id = ${_id}`
  await until('the expiry', async () => (await statusOf(key)) === 401)
  assert.ok((await api.as('admin').keys.get(_id)).expires_at)
})

test('a key is refused from a network that is not allowed, and the message names the address', async () => {
  const { _id, key } = await addKey(['videos:read'], { allowed_networks: ['192.0.2.0/24', '2001:db8::/32'] })
  const from = async (address: string) => {
    const headers = { 'x-api-key': key, 'x-forwarded-for': address }
    const { status, body } = await ask(`${second.url}/videos`, 'json', { headers })
    return { status, body }
  }
  // The third answer to the same request comes from memory.
  for (let turn = 0; turn < 4; turn += 1) {
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1'])
      assert.equal((await from(address)).status, 200, address)
    const { status, body } = await from('198.51.100.9')
    assert.deepEqual([status, body.code], [403, 'wrong_network'])
    assert.match(body.message, /198\.51\.100\.9/)
  }
  // This server trusts no proxy, so the header means nothing to it.
  const direct = await ask(`${api.url}/videos`, 'json', {
    headers: { 'x-api-key': key, 'x-forwarded-for': '192.0.2.7' },
  })
  assert.deepEqual([direct.status, /127\.0\.0\.1/.test(direct.body.message)], [403, true])
  await api.as('admin').keys.update(_id, { allowed_networks: ['127.0.0.1'] })
  assert.equal(await statusOf(key), 200)
})

test('a revoked key stops working at once here, and within a second on every other server', async () => {
  const { _id, key } = await addKey(['videos:read'])
  // Lists that were requested before are answered from memory.
  for (let turn = 0; turn < 3; turn += 1)
    assert.deepEqual([await statusOf(key), await statusOf(key, second.url)], [200, 200])
  await api.as('admin').keys.remove(_id)
  const end = Date.now() + 1000
  assert.equal(await statusOf(key), 401)
  while (Date.now() < end && (await statusOf(key, second.url)) !== 401) await pause(20)
  assert.equal(await statusOf(key, second.url), 401)
})

test('events name the key that caused them, also after it was revoked', async () => {
  const { _id, key, name } = await addKey(['videos:write'])
  const { events, keys } = api.as('admin')
  const video = await clientOf(key).videos.create({ title: 'Made by a key' })
  const actor = async () => (await events.list({ record_id: video._id })).response.at(-1)?.actor
  await until('the event', actor)
  assert.deepEqual(await actor(), { kind: 'named', id: _id, name })
  const renamed = nextName()
  await keys.update(_id, { name: renamed })
  assert.deepEqual(await actor(), { kind: 'named', id: _id, name: renamed })
  await keys.remove(_id)
  assert.deepEqual(await actor(), { kind: 'named', id: _id, name: renamed })
})

test('the last use is recorded without changing the key, at most once a minute', async () => {
  const { _id, key, updated_at } = await addKey(['videos:read'])
  const { keys } = api.as('admin')
  const used = async () => (await keys.get(_id)).last_used_at
  assert.equal(await used(), null)
  await statusOf(key)
  await until('the first use', used)
  const first = await used()
  api.parts.principals.forget()
  await statusOf(key)
  assert.equal(await used(), first)
  assert.equal((await keys.get(_id)).updated_at, updated_at)
  await api.database.db`update named_keys set last_used_at = now() - interval '2 minutes' where _id = ${_id}`
  await until('the next use', async () => {
    await statusOf(key)
    return Date.parse((await used()) ?? '') >= Date.parse(first ?? '')
  })
})

test('a named key sees hidden records, but no secrets of apps and consumers', async () => {
  const { key } = await addKey(['*:read'])
  const reader = clientOf(key)
  const hidden = await api.as('admin').videos.create({ title: 'Hidden', active: false })
  assert.equal((await reader.videos.get(hidden._id)).title, 'Hidden')
  const app = await reader.apps.get(api.channel.app._id)
  assert.match(app.app_key, /^zk_app_….{4}$/)
  assert.match(app.client_secret, /^zs_client_….{4}$/)
  const { _id } = await api.as('admin').consumers.create({ email: 'tokens@example.com' })
  const { rss_token, remember_token } = await reader.consumers.get(_id)
  assert.deepEqual([rss_token, remember_token], [null, null])
  await assert.rejects(reader.uploads.list(), { status: 403 })
})

test('uploads, images and player requests need the scope of their path', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Watched' })
  const form = (name: string) => {
    const body = new FormData()
    body.append(name, new Blob(['no film']), 'film.mp4')
    return { method: 'POST', body }
  }
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '5' }
  const requests: readonly (readonly [needed: string, path: string, init: RequestInit])[] = [
    ['uploads:write', '/uploads', form('source')],
    ['uploads:write', '/uploads/tus', { method: 'POST', headers: tus }],
    ['videos:write', '/videos', form('source')],
    ['videos:write', `/videos/${_id}/poster`, { ...form('image'), method: 'PUT' }],
    ['videos:read', `/embed/${_id}`, {}],
    ['videos:read', `/videos/${_id}/player`, {}],
    ['videos:read', `/videos/${_id}/events`, { method: 'HEAD' }],
  ]
  const scopes = ['uploads:write', 'videos:write', 'videos:read']
  for (const [needed, path, init] of requests) {
    const others = await addKey(scopes.filter((scope) => scope !== needed))
    const own = await addKey([needed])
    const send = ({ key }: { key: string }) =>
      fetch(api.url + path, { ...init, headers: { ...(init.headers as object), 'x-api-key': key } })
    const refused = await send(others)
    assert.equal(refused.status, 403, path)
    const text = await refused.text()
    if (init.method !== 'HEAD') assert.match(text, new RegExp(needed), path)
    const { status } = await send(own)
    assert.ok(status < 300 || status === 422, `${path}: ${status}`)
  }
})

test('a key that may only upload cannot add a film to a video that exists', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Somebody else’s' })
  const uploader = await addKey(['uploads:write'])
  const both = await addKey(['uploads:write', 'videos:write'])
  const metadata = `video_id ${Buffer.from(_id).toString('base64')}`
  const send = (key: string) =>
    fetch(`${api.url}/uploads/tus`, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'tus-resumable': '1.0.0',
        'upload-length': '5',
        'upload-metadata': metadata,
      },
    })
  const form = new FormData()
  form.append('video_id', _id)
  form.append('source', new Blob(['no film']), 'film.mp4')
  const headers = { 'x-api-key': uploader.key }
  const posted = await fetch(`${api.url}/uploads`, { method: 'POST', headers, body: form })
  for (const refused of [posted, await send(uploader.key)]) {
    assert.equal(refused.status, 403)
    assert.match(await refused.text(), /videos:write/)
  }
  assert.equal((await send(both.key)).status, 201)
})

test('the history of a video names the key that changed it', async () => {
  const { name, key } = await addKey(['videos:write', 'videos:read'])
  const { videos, video_versions } = clientOf(key)
  const { _id } = await videos.create({ title: 'Before' })
  await videos.update(_id, { title: 'After' })
  const { response } = await video_versions.list(_id)
  assert.deepEqual(
    response.map(({ caller, author }) => [caller, author]),
    [
      ['named', name],
      ['named', name],
    ],
  )
})

test('a named key of the same channel may stand beside an access token, one of another may not', async () => {
  const { access_token } = await api.channel.consumer()
  const { key } = await addKey(['videos:read'])
  const send = (apiKey: string) =>
    ask(`${api.url}/videos`, 'json', {
      headers: { authorization: `Bearer ${access_token}`, 'x-api-key': apiKey },
    })
  assert.equal((await send(key)).status, 200)
  const foreign = await api.other.as('admin').keys.create({ name: nextName(), scopes: ['*:read'] })
  assert.equal((await send(foreign.key ?? '')).status, 422)
  const fenced = await addKey(['videos:read'], { allowed_networks: ['192.0.2.0/24'] })
  assert.equal((await send(fenced.key)).status, 403)
})

test('an owner in the dashboard makes and changes keys only after giving the password, but revokes them at once', async () => {
  const owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  const send = (method: string, path: string, fields?: object) =>
    ask(`${api.url}${path}`, 'json', {
      method,
      headers: { ...owner.headers(api.channel), 'content-type': 'application/json' },
      ...(fields ? { body: JSON.stringify(fields) } : {}),
    })
  const made = await send('POST', '/keys', { name: nextName(), scopes: ['*:read'] })
  assert.equal(made.status, 201)
  const { _id } = made.body.response
  await api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  for (const refused of [
    await send('POST', '/keys', { name: nextName(), scopes: ['*:read'] }),
    await send('PUT', `/keys/${_id}`, { scopes: ['*:read', '*:write'] }),
  ])
    assert.deepEqual([refused.status, refused.body.code], [403, 'confirm_required'])
  assert.equal((await send('GET', `/keys/${_id}`)).status, 200)
  assert.equal((await send('DELETE', `/keys/${_id}`)).status, 204)
})
