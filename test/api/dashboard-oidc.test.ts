/** Publishers sign in with an identity provider: a real one, oidc-provider. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { forgetAttempts, takeAttempt } from '../../packages/server/src/auth/attempts.js'
import { bucketFrom } from '../../packages/server/src/auth/limits.js'
import { freePort, startOwnApi, type TestApi } from '../support/api.js'
import {
  client,
  createBrowser,
  signInElsewhere,
  startIdentityProvider,
  type TestProvider,
} from '../support/identity-provider.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { note } from '../support/secrets.js'

let api: TestApi
let strict: TestApi
let provider: TestProvider
const people: Record<string, Record<string, unknown>> = {}
const email = (name: string) => ({ email: `${name}@example.com`, email_verified: true })

before(async () => {
  note(client.clientSecret)
  const port = await freePort()
  const oidc = {
    issuer: `http://127.0.0.1:${port}`,
    ...client,
    name: 'Example',
    rolesClaim: 'zoetrope_roles',
    allowsPasswords: true,
  }
  api = await startOwnApi({ oidc })
  strict = await startOwnApi({ oidc: { ...oidc, allowsPasswords: false } })
  provider = await startIdentityProvider(port, `${api.url}/dashboard/oidc/callback`, people)
})
after(async () => {
  await provider.stop()
  await api.stop()
  await strict.stop()
})

const isDashboard = (address: string) => new URL(address).pathname.match(/^\/dashboard(?!\/oidc)/) !== null

/** Signs in and returns where the browser ended up, and its session. */
async function enter(name: string, query = '', browser = createBrowser()) {
  const at = await signInElsewhere(browser, `${api.url}/dashboard/oidc${query}`, name, isDashboard)
  const { response, text } = await browser.visit(`${api.url}/dashboard/api/session`)
  return { at, browser, status: response.status, session: text ? JSON.parse(text) : undefined }
}
const problemOf = (at: string) => new URL(at).searchParams.get('problem')

test('the sign-in page learns which ways there are', async () => {
  const methods = async ({ url }: TestApi) => (await fetch(`${url}/dashboard/api/sign-in`)).json()
  assert.deepEqual(await methods(api), { provider: 'Example', passwords: true, mail: false, is_new: true })
  assert.deepEqual(await methods(strict), {
    provider: 'Example',
    passwords: false,
    mail: false,
    is_new: true,
  })
})

test('a role for every channel lets a new person in, and back to where they were', async () => {
  people.ann = { ...email('ann'), name: 'Ann Example', zoetrope_roles: ['editor', 'unknown'] }
  const { at, session } = await enter('ann', '?path=%2Fvideos%3Fq%3Dx')
  assert.equal(at, `${api.url}/dashboard/videos?q=x`)
  assert.deepEqual(
    [session.user.email, session.user.name, session.user.has_password],
    ['ann@example.com', 'Ann Example', false],
  )
  assert.deepEqual(
    session.channels.map(({ role }: { role: string }) => role),
    ['editor', 'editor'],
  )
})

test('a role for one channel, the higher of two, and its end', async () => {
  const id = api.channel.channel._id
  people.bob = { ...email('bob'), zoetrope_roles: [`${id}:viewer`, `${id}:editor`] }
  const first = await enter('bob')
  assert.deepEqual(
    first.session.channels.map(({ _id, role }: { _id: string; role: string }) => [_id, role]),
    [[id, 'editor']],
  )
  people.bob = { ...email('bob'), zoetrope_roles: [`${api.other.channel._id}:viewer`] }
  const { session } = await enter('bob')
  assert.deepEqual(
    session.channels.map(({ _id }: { _id: string }) => _id),
    [api.other.channel._id],
  )
  people.bob = { ...email('bob'), zoetrope_roles: [] }
  assert.equal(problemOf((await enter('bob')).at), 'no_role')
  // The session of before has no channel any more either.
  const { text } = await first.browser.visit(`${api.url}/dashboard/api/session`)
  assert.deepEqual(JSON.parse(text).channels, [])
})

test('the only owner of a channel stays, whatever the provider says', async () => {
  const id = api.channel.channel._id
  people.cleo = { ...email('cleo'), zoetrope_roles: `${id}:owner` }
  await api.database.db`delete from memberships where site_id = ${id} and role = 'owner'`
  await enter('cleo')
  people.cleo = { ...email('cleo'), zoetrope_roles: `${id}:viewer` }
  assert.equal((await enter('cleo')).session.channels[0].role, 'owner')
  people.cleo = email('cleo')
  assert.equal((await enter('cleo')).session.channels[0].role, 'owner')
})

test('an account that exists keeps the role its owner gave it; an invitation is accepted', async () => {
  const site_id = api.channel.channel._id
  const { db } = api.database
  await db`insert into publishers (_id, email, password_hash) values (${'d'.repeat(24)}, 'Dora@example.com', 'x')`
  await db`insert into memberships (publisher_id, site_id, role) values (${'d'.repeat(24)}, ${site_id}, 'viewer')`
  await db`
    insert into invitations (_id, site_id, email, role, digest, expires_at)
    values (${'e'.repeat(24)}, ${api.other.channel._id}, 'dora@example.com', 'editor', 'd', now() + interval '1 day')
  `
  people.dora = { ...email('dora'), zoetrope_roles: [`${site_id}:owner`] }
  const { session } = await enter('dora')
  // Nobody had verified the address of the account, so its password no longer opens it.
  assert.deepEqual([session.user._id, session.user.has_password], ['d'.repeat(24), false])
  const roles = session.channels.map(({ _id, role }: { _id: string; role: string }) => [_id, role])
  assert.deepEqual(Object.fromEntries(roles), { [site_id]: 'viewer', [api.other.channel._id]: 'editor' })
  assert.deepEqual([...(await db`select from invitations where email = 'dora@example.com'`)], [])
})

test('an account that somebody else prepared is taken over with all that opens it', async () => {
  const prepared = await addPublisher(api, [api.other, 'viewer'])
  const thief = await signInAs(api, prepared)
  people.hal = { email: prepared.email, email_verified: true, zoetrope_roles: ['owner'] }
  assert.equal((await enter('hal')).session.user._id, prepared._id)
  assert.equal((await thief.call('GET', 'session')).status, 401)
  await assert.rejects(signInAs(api, prepared), /401/)
  // Nor can an invitation or another person with the same address open it later.
  const owner = await signInAs(api, await addPublisher(api, [api.other, 'owner']))
  const invitation = { email: prepared.email, role: 'viewer' }
  assert.equal((await owner.call('POST', 'invitations', invitation, api.other)).status, 422)
  people.ian = people.hal
  assert.equal(problemOf((await enter('ian')).at), 'taken')
  const renamed = await fetch(`${api.url}/site/users/${prepared._id}`, {
    method: 'PUT',
    headers: { 'x-api-key': api.other.keys.admin, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'else@example.com' }),
  })
  assert.equal(renamed.status, 422)
})

test('people without a role, or with an address that nobody verified, are not let in', async () => {
  people.eve = email('eve')
  const stranger = await enter('eve')
  assert.deepEqual([problemOf(stranger.at), stranger.status], ['no_role', 401])
  people.odd = { ...email('odd'), zoetrope_roles: { toString: 1 } }
  people.list = { ...email('list'), zoetrope_roles: [null, 7, { toString: 1 }, ['owner']] }
  for (const name of ['odd', 'list']) assert.equal(problemOf((await enter(name)).at), 'no_role')
  people.finn = { email: 'ann@example.com', email_verified: false, zoetrope_roles: ['owner'] }
  const thief = await enter('finn')
  assert.deepEqual([problemOf(thief.at), thief.status], ['unverified', 401])
  const made = await api.database
    .db`select from publishers where email in ('eve@example.com', 'finn@example.com')`
  assert.equal(made.length, 0)
})

test('an answer of the provider counts once, and only in the browser that began', async () => {
  people.gus = { ...email('gus'), zoetrope_roles: ['viewer'] }
  const browser = createBrowser()
  const isCallback = (address: string) => address.includes('/oidc/callback')
  const callback = await signInElsewhere(browser, `${api.url}/dashboard/oidc`, 'gus', isCallback)
  const elsewhere = await createBrowser().visit(callback)
  assert.equal(problemOf(elsewhere.next ?? ''), 'expired')
  const begun = createBrowser()
  await begun.visit(`${api.url}/dashboard/oidc`)
  assert.equal(problemOf((await begun.visit(callback)).next ?? ''), 'failed')
  assert.equal((await browser.visit(callback)).next, `${api.url}/dashboard`)
  assert.equal(problemOf((await browser.visit(callback)).next ?? ''), 'expired')
})

test('a person can decline, and no address leads out of the dashboard', async () => {
  const browser = createBrowser()
  for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example', '/x\r\nset-cookie:a=b']) {
    const { response, next } = await browser.visit(
      `${api.url}/dashboard/oidc?path=${encodeURIComponent(path)}`,
    )
    assert.equal(response.status, 303)
    const state = new URL(next ?? '').searchParams.get('state')
    const back = `${api.url}/dashboard/oidc/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`
    assert.equal((await browser.visit(back)).next, `${api.url}/dashboard?problem=declined`)
    const { at } = await enter('ann', `?path=${encodeURIComponent(path)}`)
    assert.equal(at, `${api.url}/dashboard`)
  }
})

test('a session lasts a day, and only the cookie of a sign-in counts as one', async () => {
  await enter('ann')
  const [newest] = await api.database.db<{ hours: number }[]>`
    select extract(epoch from ends_at - publisher_sessions.created_at)::integer / 3600 as hours
    from publisher_sessions join publishers on publishers._id = publisher_id
    where email = 'ann@example.com' order by publisher_sessions._id desc limit 1
  `
  assert.equal(newest?.hours, 24)
  const other = { purpose: 'authorize', until: Date.now() + 60_000, path: '' }
  const cookie = `zoetrope_oidc=${api.parts.sealer.seal(JSON.stringify(other)).toString('base64url')}`
  const answer = await fetch(`${api.url}/dashboard/oidc/callback?code=x`, {
    headers: { cookie },
    redirect: 'manual',
  })
  assert.equal(problemOf(new URL(answer.headers.get('location') ?? '', api.url).href), 'expired')
})

test('a page of another site cannot begin a sign-in', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await fetch(`${api.url}/dashboard/oidc`, { headers, redirect: 'manual' })).status, 403)
})

async function isConfirmed(name: string): Promise<boolean | undefined> {
  const [newest] = await api.database.db<{ confirmed: boolean }[]>`
    select confirmed_at > now() - interval '5 minutes' as confirmed
    from publisher_sessions join publishers on publishers._id = publisher_id
    where email = ${email(name).email} order by publisher_sessions._id desc limit 1
  `
  return newest?.confirmed
}

test('somebody without a password confirms with the provider, which asks again', async () => {
  const { browser, session } = await enter('ann')
  await api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  const asked = await browser.visit(`${api.url}/dashboard/api/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': session.csrf_token },
    body: JSON.stringify({ password: 'x' }),
  })
  assert.equal(asked.response.status, 403, asked.text)
  assert.equal(JSON.parse(asked.text).code, 'no_password')
  const { next } = await browser.visit(`${api.url}/dashboard/oidc?confirm=true`)
  assert.equal(new URL(next ?? '').searchParams.get('max_age'), '0')
  assert.equal(await isConfirmed('ann'), false)
  await enter('ann', '', browser)
  assert.equal(await isConfirmed('ann'), false, 'a sign-in without a word confirms nothing')
  await enter('ann', '?confirm=true', browser)
  assert.equal(await isConfirmed('ann'), true)
})

test('where passwords are turned off, none opens a session', async () => {
  const post = (path: string, body: object, method = 'POST') =>
    fetch(`${strict.url}/dashboard/api${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const attempts = [
    await post('/session', { email: 'a@example.com', password: 'x' }),
    await post('/welcome', { token: 'x', email: 'a@example.com', password: 'long enough' }, 'PUT'),
    await post('/invitation/x', { password: 'long enough' }),
  ]
  for (const response of attempts) {
    assert.equal(response.status, 403)
    assert.match((await response.json()).message, /Sign in with Example/)
  }
})

test('a provider that cannot be reached is a sentence, and is asked again later', async () => {
  const oidc = {
    issuer: 'http://127.0.0.1:9',
    ...client,
    name: 'Gone',
    rolesClaim: 'r',
    allowsPasswords: true,
  }
  const node = await api.startNode({ oidc })
  try {
    for (let times = 0; times < 2; times += 1) {
      const { next } = await createBrowser().visit(`${node.url}/dashboard/oidc`)
      assert.equal(problemOf(next ?? ''), 'unreachable')
    }
  } finally {
    await node.stop()
  }
})

test('the address and whether it is verified come from the same place, and the token is signed by the provider', async () => {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const rolesClaim = 'zoetrope_roles'
  const node = await api.startNode({
    oidc: { issuer, ...client, name: 'Example', rolesClaim, allowsPasswords: true },
  })
  const roles = { zoetrope_roles: ['owner'] }
  const victim = { email: 'ann@example.com' }
  /** What the ID token says, and what the userinfo endpoint says. */
  const said: Record<string, Record<'id_token' | 'userinfo', object>> = {
    una: { id_token: { ...victim, ...roles }, userinfo: { ...email('una'), ...roles } },
    vic: { id_token: { email_verified: true, ...roles }, userinfo: { ...victim, ...roles } },
    wes: { id_token: roles, userinfo: email('wes') },
  }
  const start = (settings: object = {}) =>
    startIdentityProvider(
      port,
      `${node.url}/dashboard/oidc/callback`,
      {},
      {
        conformIdTokenClaims: false,
        findAccount: (_context, sub) => ({
          accountId: sub,
          claims: async (use) => ({ sub, ...said[sub]?.[use === 'id_token' ? use : 'userinfo'] }),
        }),
        ...settings,
      },
    )
  let other = await start()
  try {
    const arrivalOf = (name: string) =>
      signInElsewhere(createBrowser(), `${node.url}/dashboard/oidc`, name, isDashboard)
    assert.equal(problemOf(await arrivalOf('una')), 'unverified')
    assert.equal(problemOf(await arrivalOf('vic')), 'unverified')
    assert.equal(await arrivalOf('wes'), `${node.url}/dashboard`)
    // Somebody who answers in place of the provider does not have its key.
    await other.stop()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    other = await start({ jwks: { keys: [privateKey.export({ format: 'jwk' })] } })
    assert.equal(problemOf(await arrivalOf('wes')), 'failed')
  } finally {
    await other.stop()
    await node.stop()
  }
})

test('too many returns from the provider have to wait, as too many departures do', async () => {
  const { database, parts } = api
  const bucket = bucketFrom('sign_in_elsewhere', '127.0.0.1')
  while ((await takeAttempt(database.db, parts.sealer, [bucket])) === 0);
  for (const path of ['/dashboard/oidc', '/dashboard/oidc/callback?code=x&state=y']) {
    const answer = await fetch(api.url + path, { redirect: 'manual' })
    assert.equal(answer.status, 429, path)
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
  }
  await forgetAttempts(database.db, parts.sealer, [bucket.key])
  const { next } = await createBrowser().visit(`${api.url}/dashboard/oidc/callback?code=x&state=y`)
  assert.equal(problemOf(next ?? ''), 'expired')
})
