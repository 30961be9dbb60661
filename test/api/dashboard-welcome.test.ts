/** The welcome link of a server before the first sign-in. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import {
  addPublisher,
  call,
  cookieIn,
  password,
  signInAs,
  type TestPublisher,
  welcomeLink,
} from '../support/publishers.js'
import { note } from '../support/secrets.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

/** Returns the token in the fragment of the link. */
async function welcomeToken(publisher: TestPublisher): Promise<string | undefined> {
  const [page, token] = (await welcomeLink(api, publisher))?.split('#') ?? []
  assert.ok(page === undefined || page === `${api.url}/dashboard/welcome`)
  return token
}

const welcome = (method: 'POST' | 'PUT', body: object, headers: Record<string, string> = {}) =>
  call(api.url, method, 'welcome', { body, headers })

test('the first publisher signs in with the link of the welcome, and chooses address and password', async () => {
  const first = await addPublisher(api, [api.channel, 'owner'])
  const token = await welcomeToken(first)
  const seen = await welcome('POST', { token })
  assert.deepEqual([seen.status, seen.body], [200, { email: first.email }])

  const [email, own] = [`me-${first.email}`, 'a password of my own']
  note(own)
  const entered = await welcome('PUT', { token, email: ` ${email.toUpperCase()}`, password: own })
  assert.deepEqual([entered.status, entered.body.user?.email], [200, email])
  const cookie = cookieIn(entered)
  assert.equal((await call(api.url, 'GET', 'session', { headers: { cookie } })).status, 200)

  for (const method of ['POST', 'PUT'] as const)
    assert.equal((await welcome(method, { token, email, password: own })).status, 404)
  assert.equal((await call(api.url, 'POST', 'session', { body: { email, password: own } })).status, 200)
  assert.equal(
    (await call(api.url, 'POST', 'session', { body: { email: first.email, password } })).status,
    401,
  )
  assert.equal(await welcomeToken(first), undefined)
})

test('no link is printed for an account whose password was changed', async () => {
  const first = await addPublisher(api, [api.channel, 'owner'])
  assert.ok(await welcomeToken(first))
  await api.database.db`
    update publishers set password_changed_at = now() + interval '1 second' where _id = ${first._id}
  `
  assert.equal(await welcomeToken(first), undefined)
})

test('a welcome link expires with a sign-in by password, and after a day', async () => {
  const first = await addPublisher(api, [api.channel, 'owner'])
  const expired = await welcomeToken(first)
  await api.database.db`update sign_in_links set expires_at = now() where publisher_id = ${first._id}`
  const tokens = [await welcomeToken(first), await welcomeToken(first)]
  assert.deepEqual(
    await Promise.all([expired, ...tokens].map(async (token) => (await welcome('POST', { token })).status)),
    [404, 200, 200],
  )
  await signInAs(api, first)
  for (const token of tokens) assert.equal((await welcome('POST', { token })).status, 404)
})

test('when a link is used twice at once, one succeeds', async () => {
  const first = await addPublisher(api, [api.channel, 'owner'])
  const token = await welcomeToken(first)
  const own = 'a password of one of them'
  note(own)
  const both = await Promise.all(
    ['one', 'two'].map((name) => welcome('PUT', { token, email: `${name}-${first.email}`, password: own })),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404])
  for (const each of both) if (each.status === 200) cookieIn(each)
})

test('a link stays valid after rejected input, and is refused from other sites', async () => {
  const other = await addPublisher(api, [api.channel, 'viewer'])
  const first = await addPublisher(api, [api.channel, 'owner'])
  const token = await welcomeToken(first)
  const own = 'a password that is long enough'
  note(own)
  const refused = [
    await welcome('PUT', { token, email: other.email, password: own }),
    await welcome('PUT', { token, email: 'nobody', password: own }),
    await welcome('PUT', { token, email: first.email, password: 'short' }),
    await welcome('PUT', { email: first.email, password: own }),
  ]
  assert.deepEqual(
    refused.map(({ status, body }) => [status, Object.keys(body.errors)]),
    [
      [422, ['email']],
      [422, ['email']],
      [422, ['password']],
      [422, ['token']],
    ],
  )
  const foreign = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await welcome('PUT', { token, email: first.email, password: own }, foreign)).status, 403)
  assert.equal((await welcome('POST', { token: 'x'.repeat(43) })).status, 404)
  assert.equal((await welcome('POST', { token })).status, 200)
})
