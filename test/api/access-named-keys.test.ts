import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allows, catalog, keyScopes, type Resource, scopeFor, secretFields } from '@zoetrope/contract'
import { newNamedKey } from '../../packages/server/src/auth/named-keys.js'
import { newId } from '../../packages/server/src/lib/object-id.js'
import { startApi, type TestApi, type TestChannel } from '../support/api.js'
import { type Endpoint, endpoints, makeTarget, ownerFor, perform } from './access-targets.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

/** Keys by their channel and scopes. */
const made = new Map<string, Promise<string>>()

/** The headers with a named key. The table needs more keys than a channel may have, so they are inserted as rows. */
async function withKey(channel: TestChannel, scopes: readonly string[]) {
  const name = `${channel.channel._id} ${scopes.join(' ')}`
  const key = made.get(name) ?? insertKey(channel, scopes)
  made.set(name, key)
  return { 'x-api-key': await key }
}

async function insertKey({ channel }: TestChannel, scopes: readonly string[]): Promise<string> {
  const key = newNamedKey()
  const _id = newId()
  await api.database.db`
    insert into named_keys (_id, site_id, name, scopes, last_four, digest)
    values (${_id}, ${channel._id}, ${_id}, ${[...scopes]}, ${key.slice(-4)}, ${api.parts.sealer.digest(key)})
  `
  return key
}

const targetOf = async (endpoint: Endpoint) =>
  makeTarget(api, api.channel, endpoint, await ownerFor(api.channel, endpoint))

/** All scopes but the needed one and the wildcard that covers it. */
const othersThan = (needed: string | undefined) =>
  keyScopes().filter((scope) => scope !== needed && scope !== `*:${needed?.split(':')[1]}`)

/** An event is for those who may also read its record: here, a video. */
const scopesForRecord = ({ resource }: Endpoint) => (resource.name === 'event' ? ['videos:read'] : [])

for (const endpoint of endpoints) {
  const { resource, name, method, path, success } = endpoint
  const needed = scopeFor(resource, name)
  const open = needed ? `is open to a named key with ${needed} and no other` : 'is closed to every named key'
  test(`${method} ${path} ${open}`, async () => {
    const target = await targetOf(endpoint)
    const call = async (channel: TestChannel, scopes: readonly string[]) =>
      perform(api, endpoint, target, await withKey(channel, scopes), 'json')

    const refused = await call(api.channel, othersThan(needed))
    assert.equal(refused.status, 403, refused.body.message)
    if (needed) assert.match(refused.body.message, new RegExp(`needs the scope ${needed} `))

    const scopes = needed ? [needed] : keyScopes()
    if (path.includes(':')) {
      const { status, body } = await call(api.other, scopes)
      assert.deepEqual([status, body.code], [404, 'not_found'], body.message)
    }
    if (!needed) return
    const { status, body } = await call(api.channel, [...scopes, ...scopesForRecord(endpoint)])
    assert.equal(status, success, body.message)
  })
}

test('a wildcard covers every scope of its kind, and no other', async () => {
  const ask = async (scope: string, method: string, path: string) => {
    const body = method === 'GET' ? {} : { body: JSON.stringify({ title: 'By a named key' }) }
    const headers = { ...(await withKey(api.channel, [scope])), 'content-type': 'application/json' }
    return (await fetch(api.url + path, { method, headers, ...body })).status
  }
  for (const path of ['/videos', '/playlists', '/consumers', '/apps'])
    assert.equal(await ask('*:read', 'GET', path), 200, path)
  assert.equal(await ask('*:read', 'POST', '/videos'), 403)
  assert.deepEqual(
    [await ask('*:write', 'POST', '/videos'), await ask('*:write', 'GET', '/videos')],
    [201, 403],
  )
})

test('no scope gives access to keys, people, the account or secrets, or to more than an owner may do', () => {
  for (const { resource, name } of endpoints) {
    if (!allows('named', resource, name)) continue
    const about = `${name} ${resource.plural}`
    assert.ok(!['named_keys', 'users', 'channels', 'feed_keys'].includes(resource.plural), about)
    assert.ok(allows('owner', resource, name), about)
    // The secrets of apps are masked.
    if (secretFields(resource).length > 0)
      assert.deepEqual([resource.plural, scopeFor(resource, name)], ['apps', 'apps:read'])
    // What only some roles may read is a credential itself, so *:read must not show it. Events show named keys only
    // what scopes for reading can give: test/api/events.test.ts.
    if (
      !allows('viewer', resource, 'list') &&
      resource.operations.includes('list') &&
      !['apps', 'events'].includes(resource.plural)
    )
      assert.match(scopeFor(resource, name) ?? '', /:write$/, about)
  }
})

test('every resource that is open to named keys has a scope, also for the records inside it', () => {
  const { videos, subtitles, feed_keys, pin } = catalog
  const scopes = (resource: Resource) =>
    [...resource.operations, ...Object.keys(resource.actions)].map((name) => scopeFor(resource, name))
  assert.deepEqual(new Set(scopes(subtitles)), new Set(scopes(videos)))
  assert.deepEqual(new Set(scopes(feed_keys)), new Set([undefined]))
  assert.deepEqual(scopes(pin), ['pin:write', 'pin:read', 'pin:write', 'pin:write'])
  assert.equal(scopeFor(videos, 'toString'), undefined)
})
