import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endExpired } from '../../packages/server/src/jobs/end-expired.job.js'
import { startApi, type TestApi } from '../support/api.js'
import { contextOf } from '../support/media.js'
import {
  addPublisher,
  call,
  cookieIn,
  password,
  signInAs,
  type TestPublisher,
} from '../support/publishers.js'

let api: TestApi
let ada: TestPublisher
before(async () => {
  api = await startApi()
  ada = await addPublisher(api, [api.channel, 'owner'], [api.other, 'viewer'])
})
after(() => api.stop())

const session = (cookie: string, headers: Record<string, string> = {}) =>
  call(api.url, 'GET', 'session', { headers: { cookie, ...headers } })

const videos = (headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`${api.url}/videos`, { ...init, headers: { ...headers, ...(init.headers as object) } })

test('a publisher signs in with e-mail and password and gets their channels and roles', async () => {
  const reply = await call(api.url, 'POST', 'session', {
    body: { email: ` ${ada.email.toUpperCase()} `, password },
  })
  const again = await session(cookieIn(reply))

  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('set-cookie') ?? '', /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  assert.deepEqual(reply.body.channels, [
    { _id: api.channel.channel._id, name: 'One', role: 'owner', first_page: 0 },
    { _id: api.other.channel._id, name: 'Other', role: 'viewer', first_page: 0 },
  ])
  assert.deepEqual(Object.keys(reply.body.user), [
    '_id',
    'email',
    'name',
    'totp_enabled',
    'password_changed_at',
    'has_password',
  ])
  assert.deepEqual(again.body, reply.body)
  assert.doesNotMatch(JSON.stringify(reply.body), /argon2/)
})

test('a wrong password and an unknown address get the same answer', async () => {
  const wrong = await call(api.url, 'POST', 'session', { body: { email: ada.email, password: 'wrong one' } })
  const unknown = await call(api.url, 'POST', 'session', { body: { email: 'no@example.com', password } })

  assert.deepEqual([wrong.status, unknown.status], [401, 401])
  assert.equal(wrong.body.message, unknown.body.message)
  assert.equal(wrong.headers.get('set-cookie'), null)
})

test('after too many wrong passwords even the right one has to wait', async () => {
  const victim = await addPublisher(api, [api.channel, 'owner'])
  const guess = (typed: string) =>
    call(api.url, 'POST', 'session', { body: { email: victim.email, password: typed } })
  for (let attempt = 0; attempt < 10; attempt += 1) assert.equal((await guess('a guess')).status, 401)

  const { status, headers } = await guess(password)

  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) > 0)
})

test('each sign-in creates its own session, and a planted cookie is never adopted', async () => {
  const planted = `zoetrope_session=${'a'.repeat(43)}`
  const reply = await call(api.url, 'POST', 'session', {
    headers: { cookie: planted },
    body: { email: ada.email, password },
  })
  const other = await signInAs(api, ada)

  assert.notEqual(cookieIn(reply), planted)
  assert.notEqual(cookieIn(reply), other.cookie)
  assert.equal((await session(planted)).status, 401)
  assert.equal((await session(`${planted}; ${other.cookie}`)).status, 401)
})

test('only the digest of a session is in the database', async () => {
  const { cookie } = await signInAs(api, ada)
  const token = cookie.split('=')[1] ?? ''
  const [row] = await api.database.db`
    select count(*)::int as found from publisher_sessions
    where publisher_sessions::text like ${`%${token}%`} or digest = ${Buffer.from(token)}
  `
  assert.equal(row?.found, 0)
})

test('signing out ends the session at once, for the API too', async () => {
  const browser = await signInAs(api, ada)
  assert.equal((await videos(browser.headers(api.channel))).status, 200)

  const reply = await browser.call('DELETE', 'session')

  assert.equal(reply.status, 204)
  assert.match(reply.headers.get('set-cookie') ?? '', /^zoetrope_session=; Path=\/; Max-Age=0;/)
  assert.equal((await session(browser.cookie)).status, 401)
  assert.equal((await videos(browser.headers(api.channel))).status, 401)
})

test('a publisher sees where they are signed in and signs out everywhere', async () => {
  const eve = await addPublisher(api, [api.channel, 'viewer'])
  const [here, there] = [await signInAs(api, eve), await signInAs(api, eve)]

  const { body } = await here.call('GET', 'sessions')
  assert.deepEqual(body.map((each: { current: boolean }) => each.current).sort(), [false, true])
  assert.deepEqual(Object.keys(body[0]), [
    '_id',
    'created_at',
    'last_used_at',
    'address',
    'browser',
    'current',
  ])
  assert.equal((await here.call('DELETE', 'sessions')).status, 204)
  for (const { cookie } of [here, there]) assert.equal((await session(cookie)).status, 401)
})

test('a session ends after two weeks without use', async () => {
  const browser = await signInAs(api, ada)
  const digest = api.parts.sealer.digest(browser.cookie.split('=')[1] ?? '')
  await api.database.db`update publisher_sessions set expires_at = now() where digest = ${digest}`

  assert.equal((await session(browser.cookie)).status, 401)
  assert.equal((await videos(browser.headers(api.channel))).status, 401)
  await endExpired.run({}, contextOf(api))
  const [left] = await api.database.db`select from publisher_sessions where digest = ${digest}`
  assert.equal(left, undefined)
})

test("a cookie works only with the header X-Channel-Id, and for the publisher's own channels", async () => {
  const { cookie } = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  const channel = api.channel.channel._id

  assert.equal((await videos({ cookie })).status, 401)
  assert.equal((await fetch(`${api.url}/videos?channel_id=${channel}`, { headers: { cookie } })).status, 401)
  assert.equal((await videos({ cookie, 'x-channel-id': channel })).status, 200)
  assert.equal((await videos({ cookie, 'x-channel-id': api.other.channel._id })).status, 401)
  assert.equal((await videos({ cookie, 'x-channel-id': 'nonsense' })).status, 401)
})

test('a session together with a key counts as two credentials', async () => {
  const browser = await signInAs(api, ada)
  const { status } = await videos({
    ...browser.headers(api.channel),
    'x-api-key': api.channel.keys.read_only,
  })
  assert.equal(status, 422)
})

test('a write needs the CSRF token of its own session', async () => {
  const [mine, another] = [await signInAs(api, ada), await signInAs(api, ada)]
  const { cookie, 'x-channel-id': id = '' } = mine.headers(api.channel)
  const write = (headers: Record<string, string>) =>
    videos(
      { cookie: cookie ?? '', 'x-channel-id': id, 'content-type': 'application/json', ...headers },
      {
        method: 'POST',
        body: '{"title":"Written"}',
      },
    )

  assert.equal((await write({})).status, 403)
  assert.equal((await write({ 'x-csrf-token': another.csrf })).status, 403)
  assert.equal((await write({ 'x-csrf-token': mine.csrf })).status, 201)
  for (const [method, path] of [
    ['DELETE', 'session'],
    ['DELETE', 'sessions'],
  ] as const)
    assert.equal((await call(api.url, method, path, { headers: { cookie: mine.cookie } })).status, 403)
  assert.equal((await session(mine.cookie)).status, 200)
})

test('other sites can neither read nor write with the cookie, with any headers', async () => {
  const browser = await signInAs(api, ada)
  const own = browser.headers(api.channel)
  const origin = new URL(api.url).origin
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${origin}.evil.example` },
    { origin: `http://127.0.0.1:1` },
  ]

  assert.equal((await videos(own)).status, 200)
  assert.equal((await videos(own)).status, 200, 'and once more, from the answers kept ready')
  for (const headers of foreign) {
    assert.equal((await videos({ ...own, ...headers })).status, 403, JSON.stringify(headers))
    assert.equal((await session(browser.cookie, headers)).status, 403)
    const signIn = await call(api.url, 'POST', 'session', { headers, body: { email: ada.email, password } })
    assert.deepEqual([signIn.status, signIn.headers.get('set-cookie')], [403, null])
  }
  const ours: Record<string, string>[] = [
    { origin },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of ours) assert.equal((await videos({ ...own, ...headers })).status, 200)
  assert.equal((await session(browser.cookie)).headers.get('access-control-allow-origin'), null)
})

test('forms and XML are rejected, because another page could send them', async () => {
  const { cookie } = await signInAs(api, ada)
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'text/xml'])
    assert.equal(
      (
        await fetch(`${api.url}/dashboard/api/session`, {
          method: 'POST',
          headers: { cookie, 'content-type': type },
          body: JSON.stringify({ email: ada.email, password }),
        })
      ).status,
      422,
    )
})

test('cached responses are never shared between channels, roles or people', async () => {
  const [here, there] = [
    await signInAs(api, await addPublisher(api, [api.channel, 'owner'])),
    await signInAs(api, await addPublisher(api, [api.other, 'owner'])),
  ]
  const { _id } = await api.as('admin').videos.create({ title: 'Hidden here', active: false })
  const seen = async (headers: Record<string, string>) =>
    (
      (await (await fetch(`${api.url}/videos?active=all&per_page=100`, { headers })).json()) as {
        response?: { _id: string }[]
      }
    ).response?.some((video) => video._id === _id)

  for (let round = 0; round < 3; round += 1) {
    assert.equal(await seen(here.headers(api.channel)), true)
    assert.equal(await seen(there.headers(api.other)), false)
    assert.equal(await seen({ 'x-channel-id': api.channel.channel._id }), undefined)
    assert.equal(await seen({ ...there.headers(api.channel) }), undefined)
    assert.equal(await seen({ 'x-api-key': api.channel.keys.read_only }), undefined)
  }
})

test('event streams accept a session with the channel in the URL', async () => {
  const browser = await signInAs(api, ada)
  const { _id } = await api.as('admin').videos.create({ title: 'Watched' })
  const news = (channel: string, headers: Record<string, string>) =>
    fetch(`${api.url}/videos/${_id}/events?channel_id=${channel}`, { method: 'HEAD', headers })
  const { cookie } = browser

  assert.equal((await news(api.channel.channel._id, { cookie })).status, 200)
  assert.equal((await news(api.other.channel._id, { cookie })).status, 404)
  assert.equal((await news(api.channel.channel._id, {})).status, 401)
  assert.equal((await news(api.channel.channel._id, { cookie, 'sec-fetch-site': 'cross-site' })).status, 403)
})

test('a changed role takes effect within a second, and a removed member has no access', async () => {
  const editor = await addPublisher(api, [api.channel, 'editor'])
  const browser = await signInAs(api, editor)
  const create = () =>
    videos(browser.headers(api.channel), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"title":"By an editor"}',
    })
  assert.equal((await create()).status, 201)

  await api.database.db`update memberships set role = 'viewer' where publisher_id = ${editor._id}`
  api.parts.principals.forget()
  assert.equal((await create()).status, 403)
  await api.database.db`delete from memberships where publisher_id = ${editor._id}`
  api.parts.principals.forget()
  assert.equal((await create()).status, 401)
})
