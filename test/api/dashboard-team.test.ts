import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endpoints } from '../../packages/server/src/publishers/index.js'
import { startApi, type TestApi } from '../support/api.js'
import {
  addPublisher,
  type Browser,
  call,
  password,
  signInAs,
  type TestPublisher,
} from '../support/publishers.js'
import { note } from '../support/secrets.js'
import { newEmail } from './access-targets.js'

let api: TestApi
let owner: TestPublisher
let browser: Browser
before(async () => {
  api = await startApi()
  owner = await addPublisher(api, [api.channel, 'owner'])
  browser = await signInAs(api, owner)
})
after(() => api.stop())

async function invite(fields: object, from = browser, channel = api.channel): Promise<string> {
  const { status, body } = await from.call('POST', 'invitations', fields, channel)
  assert.equal(status, 201, body.message)
  const token = String(body.link).split('/').at(-1) ?? ''
  note(token)
  return token
}

/** Every endpoint that is limited to some roles. */
const forRoles = Object.entries(endpoints).flatMap(([path, verbs]) =>
  Object.entries(verbs).flatMap(([method, endpoint]) =>
    typeof endpoint.for === 'string' ? [] : [{ method, path: path.slice(1), roles: endpoint.for }],
  ),
)
/** A request body that asks for more rights. */
const wish = (method: string) =>
  method === 'GET' || method === 'DELETE'
    ? undefined
    : { role: 'owner', email: 'friend@example.com', name: 'Mine' }
const at = (path: string, id: string) => path.replace(':id', id).replace(':kind', 'admin')

for (const role of ['editor', 'viewer'] as const)
  test(`a hand-made request gives a ${role} no further rights`, async () => {
    const person = await addPublisher(api, [api.channel, role])
    const own = await signInAs(api, person)
    assert.ok(forRoles.length > 10)
    for (const { method, path, roles } of forRoles) {
      const [to, body] = [at(path, person._id), wish(method)]
      if (!roles.includes(role))
        assert.equal((await own.call(method, to, body, api.channel)).status, 403, `${method} ${path}`)
      assert.equal((await own.call(method, to, body, api.other)).status, 404, `${method} ${path} elsewhere`)
      assert.equal((await own.call(method, to, body)).status, 404, `${method} ${path} nowhere`)
      assert.equal((await call(api.url, method, to, { body })).status, 401, `${method} ${path} by nobody`)
    }
    assert.equal((await own.call('POST', 'channels', { name: 'Mine' })).status, 403)
    const { body } = await own.call('GET', 'session')
    assert.deepEqual(
      body.channels.map((channel: { role: string }) => channel.role),
      [role],
    )
  })

test('two channels never see each other', async () => {
  const there = await signInAs(api, await addPublisher(api, [api.other, 'owner']))
  const invited = await browser.call(
    'POST',
    'invitations',
    { email: newEmail(), role: 'viewer' },
    api.channel,
  )
  for (const { method, path } of forRoles)
    assert.equal((await there.call(method, at(path, owner._id), wish(method), api.channel)).status, 404)
  for (const [method, path, body] of [
    ['PUT', `members/${owner._id}`, { role: 'viewer' }],
    ['DELETE', `members/${owner._id}`],
    ['DELETE', `invitations/${invited.body._id}`],
  ] as const)
    assert.equal((await there.call(method, path, body, api.other)).status, 404)
  const members = await there.call('GET', 'members', undefined, api.other)
  assert.ok(!JSON.stringify(members.body).includes(owner.email))
})

test('keys are masked, shown after the password was given again, and say when they were used', async () => {
  const person = await addPublisher(api, [api.channel, 'owner'])
  const own = await signInAs(api, person)
  await api.as('admin').videos.list()
  await api.database.db`
    update publisher_sessions set confirmed_at = now() - interval '6 minutes' where publisher_id = ${person._id}
  `
  const { body: keys } = await own.call('GET', 'keys', undefined, api.channel)
  const admin = keys.find(({ kind }: { kind: string }) => kind === 'admin')

  assert.equal(keys.length, 3)
  assert.equal(admin.masked, `zk_admin_…${api.channel.keys.admin.slice(-4)}`)
  assert.ok(admin.last_used_at && admin.created_at && admin.previous_until === null)
  for (const path of ['keys/admin/reveal', 'keys/admin/rotate']) {
    const refused = await own.call('POST', path, {}, api.channel)
    assert.deepEqual([refused.status, refused.body.code], [403, 'confirm_required'])
  }
  assert.equal((await own.call('POST', 'confirm', { password: 'not this one' })).status, 422)
  assert.equal((await own.call('POST', 'confirm', { password })).status, 204)
  const revealed = await own.call('POST', 'keys/admin/reveal', {}, api.channel)
  assert.deepEqual(revealed.body, { key: api.channel.keys.admin })
  assert.equal((await own.call('POST', 'keys/other/reveal', {}, api.channel)).status, 404)
})

test("a session sees only a part of an app's secrets until the password is confirmed", async () => {
  const person = await addPublisher(api, [api.channel, 'owner'])
  const own = await signInAs(api, person)
  const made = await api.as('admin').apps.create({ title: 'Living room' })
  for (const secret of [made.app_key, made.client_secret]) note(secret)
  const seen = [`zk_app_…${made.app_key.slice(-4)}`, `zs_client_…${made.client_secret.slice(-4)}`]
  const ask = async (method: string, path: string, app?: object) => {
    const headers = { ...own.headers(api.channel), 'content-type': 'application/json' }
    const reply = await fetch(`${api.url}${path}`, { method, headers, body: app && JSON.stringify({ app }) })
    return (await reply.json()) as { response: { app_key: string; client_secret: string } & (typeof made)[] }
  }
  const { response: list } = await ask('GET', '/apps?title=Living+room')
  const { response: one } = await ask('GET', `/apps/${made._id}`)
  const { response: changed } = await ask('PUT', `/apps/${made._id}`, { version: '2' })
  const { response: narrow } = await ask('GET', `/apps/${made._id}?response_fields[]=client_secret`)
  for (const app of [list[0], one, changed]) assert.deepEqual([app?.app_key, app?.client_secret], seen)
  assert.equal(narrow.client_secret, seen[1])
  assert.match((await ask('POST', '/apps', { title: 'Kitchen' })).response.client_secret, /^zs_client_….{4}$/)
  const rotated = await fetch(`${api.url}/apps/${made._id}/rotate`, {
    method: 'POST',
    headers: own.headers(api.channel),
  })
  assert.equal(rotated.status, 403, 'the API asks for no password')

  const { db } = api.database
  await db`
    update publisher_sessions set confirmed_at = now() - interval '1 hour' where publisher_id = ${person._id}
  `
  for (const what of ['reveal', 'rotate']) {
    const refused = await own.call('POST', `apps/${made._id}/${what}`, {}, api.channel)
    assert.deepEqual([refused.status, refused.body.code], [403, 'confirm_required'])
  }
  await own.call('POST', 'confirm', { password })
  const { app_key, client_secret } = made
  const revealed = await own.call('POST', `apps/${made._id}/reveal`, {}, api.channel)
  assert.deepEqual(revealed.body, { app_key, client_secret })
  const { body } = await own.call('POST', `apps/${made._id}/rotate`, { overlap_hours: 0 }, api.channel)
  for (const secret of [body.app_key, body.client_secret]) note(secret)
  assert.deepEqual(
    await api
      .as('admin')
      .apps.get(made._id)
      .then(({ app_key, client_secret }) => ({ app_key, client_secret })),
    body,
  )
  const { _id: foreign } = await api.other.as('admin').apps.create({ title: 'Theirs' })
  for (const what of ['reveal', 'rotate'])
    assert.equal((await own.call('POST', `apps/${foreign}/${what}`, {}, api.channel)).status, 404)
})

test('a key that is replaced works for the overlap, or not at all', async () => {
  const works = async (key: string) => (await fetch(`${api.url}/videos?api_key=${key}`)).status
  const rotate = async (overlap_hours: number) =>
    (await browser.call('POST', 'keys/read_only/rotate', { overlap_hours }, api.channel)).body.key
  const first = api.channel.keys.read_only

  const second = await rotate(1)
  assert.deepEqual([await works(first), await works(second)], [200, 200])
  const { body } = await browser.call('GET', 'keys', undefined, api.channel)
  assert.ok(body.find(({ kind }: { kind: string }) => kind === 'read_only').previous_until)
  const third = await rotate(0)
  assert.deepEqual([await works(first), await works(second), await works(third)], [401, 401, 200])
  assert.equal(
    (await browser.call('POST', 'keys/player/rotate', { overlap_hours: -1 }, api.channel)).status,
    422,
  )
})

test('a new password ends all other sessions, and the old one stops working', async () => {
  const person = await addPublisher(api, [api.channel, 'owner'])
  const [here, there] = [await signInAs(api, person), await signInAs(api, person)]
  const wanted = { current_password: password, password: 'another password' }
  const change = (fields: object) => here.call('PUT', 'password', { ...wanted, ...fields })

  assert.equal((await change({ current_password: 'a wrong one' })).status, 422)
  assert.equal((await change({ password: 'short' })).status, 422)
  assert.equal((await change({})).status, 200)
  assert.equal((await here.call('GET', 'session')).status, 200)
  assert.equal((await there.call('GET', 'session')).status, 401)
  assert.equal(
    (await fetch(`${api.url}/videos`, { headers: there.headers(api.channel) })).status,
    401,
    'the API takes the ended session no more',
  )
  await assert.rejects(signInAs(api, person), /401/)
  await signInAs(api, person, { password: 'another password' })
})

test('an owner can create another channel, with its own keys and no content', async () => {
  assert.equal((await browser.call('POST', 'channels', { name: ' \u00a0 ' })).status, 422)
  const { status, body } = await browser.call('POST', 'channels', { name: 'A second one' })
  const headers = { ...browser.headers(), 'x-channel-id': body._id }
  const keys = await call(api.url, 'GET', 'keys', { headers })
  const videos = await (await fetch(`${api.url}/videos`, { headers })).json()

  assert.deepEqual([status, body.role], [201, 'owner'])
  assert.equal(keys.body.length, 3)
  assert.deepEqual((videos as { response: unknown[] }).response, [])
  assert.equal((await browser.call('GET', 'session')).body.channels.length, 2)
})

test('a new person joins by a link, chooses a password and is signed in; the link works once', async () => {
  const email = newEmail()
  const token = await invite({ email, role: 'viewer' })
  const accept = (fields: object) => call(api.url, 'POST', `invitation/${token}`, { body: fields })

  assert.equal((await call(api.url, 'GET', `invitation/${token}`)).body.email, email)
  assert.equal((await accept({ name: 'New', password: 'short' })).status, 422)
  const accepted = await accept({ name: 'New', password })
  assert.equal(accepted.status, 200)
  assert.match(accepted.headers.get('set-cookie') ?? '', /^zoetrope_session=[\w-]{43};/)
  assert.deepEqual(accepted.body.channels, [
    { _id: api.channel.channel._id, name: 'One', role: 'viewer', first_page: 0 },
  ])
  assert.equal((await accept({ name: 'New', password })).status, 404)
})

test('a person with an account can join only with its password', async () => {
  const known = await addPublisher(api, [api.other, 'owner'])
  const token = await invite({ email: known.email, role: 'editor' })
  const accept = (typed: string) =>
    call(api.url, 'POST', `invitation/${token}`, { body: { password: typed } })

  assert.equal((await accept('a password of the inviter')).status, 401)
  const accepted = await accept(password)
  assert.deepEqual(accepted.body.channels.map((channel: { role: string }) => channel.role).sort(), [
    'editor',
    'owner',
  ])
  assert.equal((await signInAs(api, known)).cookie.length > 0, true)
})

test('an invitation to one channel gives no access to another one that has invited the same person', async () => {
  const email = newEmail()
  const { invitation_url } = await api.other.as('admin').users.create({ email, role: 'owner' })
  const token = await invite({ email, role: 'viewer' })

  const joined = await call(api.url, 'POST', `invitation/${token}`, { body: { name: 'Me', password } })
  assert.deepEqual([joined.status, joined.body.channels.length], [200, 1])
  const other = `invitation/${invitation_url?.split('/').at(-1)}`
  assert.equal((await call(api.url, 'POST', other, { body: { password: 'another one' } })).status, 401)
  assert.equal((await call(api.url, 'POST', other, { body: { password } })).body.channels.length, 2)
})

test('an invitation can be revoked, expires, and is replaced by the next one', async () => {
  const email = newEmail()
  const first = await invite({ email, role: 'viewer' })
  const second = await invite({ email, role: 'editor' })
  const show = async (token: string) => (await call(api.url, 'GET', `invitation/${token}`)).status
  assert.deepEqual([await show(first), await show(second)], [404, 200])

  const { body } = await browser.call('GET', 'invitations', undefined, api.channel)
  const { _id } = body.find((each: { email: string }) => each.email === email)
  assert.ok(!JSON.stringify(body).includes(second))
  assert.equal((await browser.call('DELETE', `invitations/${_id}`, undefined, api.channel)).status, 204)
  assert.equal(await show(second), 404)
  const third = await invite({ email, role: 'editor' })
  await api.database.db`update invitations set expires_at = now()`
  assert.equal(await show(third), 404)
  for (const wrong of [
    { email: 'nobody', role: 'viewer' },
    { email, role: 'admin' },
    { email: owner.email, role: 'viewer' },
  ])
    assert.equal((await browser.call('POST', 'invitations', wrong, api.channel)).status, 422)
})

test('an owner sees the members of the channel, changes their roles and removes them', async () => {
  const person = await addPublisher(api, [api.channel, 'editor'])
  const theirs = await signInAs(api, person)
  const videos = async () =>
    (await fetch(`${api.url}/videos`, { headers: theirs.headers(api.channel) })).status
  assert.equal(await videos(), 200)

  const { body } = await browser.call('GET', 'members', undefined, api.channel)
  const shown = body.find((each: { _id: string }) => each._id === person._id)
  assert.deepEqual([shown.email, shown.role, shown.you], [person.email, 'editor', false])
  const changed = await browser.call('PUT', `members/${person._id}`, { role: 'owner' }, api.channel)
  assert.deepEqual([changed.status, changed.body.role], [200, 'owner'])
  assert.equal(
    (await browser.call('PUT', `members/${person._id}`, { role: 'king' }, api.channel)).status,
    422,
  )
  assert.equal((await browser.call('DELETE', `members/${person._id}`, undefined, api.channel)).status, 204)
  assert.equal(await videos(), 401)
  assert.equal((await theirs.call('GET', 'session')).status, 401)
})
