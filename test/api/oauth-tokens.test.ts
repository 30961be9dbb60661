import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { note } from '../support/secrets.js'
import { appAt, clientOf, info, linkDevice, passwordOf, post, reads, refreshOf } from './oauth-requests.js'

let api: TestApi
let viewer: TestConsumer
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
})
after(() => api.stop())

const app = () => appAt(api.url, api.channel.app)
const signIn = async () => (await app().token(passwordOf(viewer))).body
const renew = (refresh_token: string) => app().token(refreshOf(refresh_token))
const digest = (token: string) => api.parts.sealer.digest(token)
const spendEarlier = (refresh_token: string, seconds: number) => api.database.db`
  update token_pairs set spent_at = spent_at - make_interval(secs => ${seconds})
  where refresh_digest = ${digest(refresh_token)}
`

test('a refresh replaces both tokens, and the old ones stop working at once', async () => {
  const old = await signIn()
  assert.equal(await reads(api.url, old.access_token), 200)
  const { body } = await renew(old.refresh_token)
  assert.equal(await reads(api.url, old.access_token), 401)
  assert.equal((await info(api.url, old.access_token)).status, 401)
  // `/oauth/introspect` reports both as inactive.
  for (const token of [old.access_token, old.refresh_token])
    assert.deepEqual((await app().introspect(token)).body, { active: false })
  assert.equal(await reads(api.url, body.access_token), 200)
})

test('a refresh token used again within 30 seconds gives the same pair', async () => {
  const { refresh_token } = await signIn()
  const first = await renew(refresh_token)
  await spendEarlier(refresh_token, 28)
  const again = await renew(refresh_token)
  assert.equal(again.status, 200)
  const { expires_in, ...pair } = again.body
  assert.deepEqual({ ...pair, expires_in: first.body.expires_in }, first.body)
  assert.ok(Math.abs(expires_in - first.body.expires_in) <= 2)
  assert.equal(await reads(api.url, pair.access_token), 200)
})

test('a refresh token used again after 30 seconds is invalid_grant and ends the session', async () => {
  const { refresh_token } = await signIn()
  const { body: second } = await renew(refresh_token)
  assert.equal(await reads(api.url, second.access_token), 200)
  await spendEarlier(refresh_token, 31)
  const { status, body } = await renew(refresh_token)
  assert.deepEqual([status, body.error], [401, 'invalid_grant'])
  assert.equal(await reads(api.url, second.access_token), 401)
  assert.equal((await info(api.url, second.access_token)).status, 401)
  assert.equal((await renew(second.refresh_token)).body.error, 'invalid_grant')
})

test('twenty refreshes at once give one pair', async () => {
  const { refresh_token } = await signIn()
  const replies = await Promise.all(Array.from({ length: 20 }, () => renew(refresh_token)))
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  assert.equal(new Set(replies.map(({ body }) => body.access_token)).size, 1)
  assert.equal(new Set(replies.map(({ body }) => body.refresh_token)).size, 1)
  const [row] = await api.database.db<{ count: number }[]>`
    select count(*)::int from token_pairs where session_id = (
      select session_id from token_pairs where refresh_digest = ${digest(refresh_token)}
    )
  `
  assert.equal(row?.count, 2)
})

test('a session can be refreshed many times in a row', async () => {
  const seen = new Set<string>()
  let { access_token, refresh_token } = await signIn()
  for (let turn = 0; turn < 10; turn += 1) {
    const { status, body } = await renew(refresh_token)
    assert.equal(status, 200)
    assert.equal(await reads(api.url, access_token), 401)
    ;({ access_token, refresh_token } = body)
    seen.add(access_token).add(refresh_token)
  }
  assert.equal(seen.size, 20)
  assert.equal(await reads(api.url, access_token), 200)
})

test('a session ends when it was not renewed in time, and a renewal moves that end', async () => {
  const { refresh_token } = await signIn()
  const days = async (refresh: string) => {
    const [row] = await api.database.db<{ days: number }[]>`
      select extract(epoch from sessions.expires_at - now())::float / 86400 as days
      from sessions join token_pairs on session_id = sessions._id where refresh_digest = ${digest(refresh)}
    `
    return Math.round(row?.days ?? 0)
  }
  assert.equal(await days(refresh_token), 90)
  await api.database.db`
    update sessions set expires_at = now() + interval '5 days'
    where _id = (select session_id from token_pairs where refresh_digest = ${digest(refresh_token)})
  `
  const { body } = await renew(refresh_token)
  assert.equal(await days(body.refresh_token), 90)
})

test('a renewal extends neither a session beyond its maximum nor a token beyond its session', async () => {
  const { refresh_token } = await signIn()
  await api.database.db`
    update sessions set ends_at = now() + interval '1 hour'
    where _id = (select session_id from token_pairs where refresh_digest = ${digest(refresh_token)})
  `
  const { body } = await renew(refresh_token)
  assert.ok(body.expires_in <= 3600 && body.expires_in > 3590)
  await api.database.db`
    update sessions set ends_at = now(), expires_at = now()
    where _id = (select session_id from token_pairs where refresh_digest = ${digest(body.refresh_token)})
  `
  assert.equal((await renew(body.refresh_token)).body.error, 'invalid_grant')
})

for (const which of ['access_token', 'refresh_token'] as const) {
  test(`revoking by ${which} ends both tokens at once, and only that session`, async () => {
    const [ended, kept] = [await signIn(), await signIn()]
    assert.equal(await reads(api.url, ended.access_token), 200)
    const reply = await post(`${api.url}/oauth/revoke`, {
      ...clientOf(api.channel.app),
      token: ended[which],
      token_type_hint: 'not even a hint',
    })
    assert.deepEqual([reply.status, reply.text, reply.headers.get('cache-control')], [200, '{}', 'no-store'])
    assert.equal(await reads(api.url, ended.access_token), 401)
    assert.equal((await renew(ended.refresh_token)).body.error, 'invalid_grant')
    assert.equal(await reads(api.url, kept.access_token), 200)
  })
}

test('revoking twice, or an unknown token, gets the usual response', async () => {
  const { access_token } = await signIn()
  for (const token of [access_token, access_token, 'no token', '0'.repeat(64)])
    assert.equal((await app().revoke(token)).status, 200)
})

test('introspection returns the scope, owner and lifetime of a token', async () => {
  const { access_token, refresh_token, created_at } = await signIn()
  const facts = {
    active: true,
    scope: 'consumer',
    client_id: api.channel.app.client_id,
    username: viewer.email,
    iat: created_at,
    sub: viewer._id,
    iss: api.url,
  }
  const { exp, ...access } = (await app().introspect(access_token)).body as never as Record<string, unknown>
  assert.deepEqual(access, { ...facts, token_type: 'bearer' })
  assert.ok(Math.abs(Number(exp) - created_at - 604_800) <= 1)
  const { exp: end, ...refresh } = (await app().introspect(refresh_token)).body as never as Record<
    string,
    unknown
  >
  assert.deepEqual(refresh, { ...facts, token_type: 'refresh_token' })
  assert.ok(Number(end) > Number(exp))
})

test('no token, code, PIN or password is anywhere in the database', async () => {
  const tokens = await signIn()
  const { body: renewed } = await renew(tokens.refresh_token)
  const device = await linkDevice(api, viewer._id)
  const grant = (await post(`${api.url}/oauth/device_authorization`, clientOf(api.channel.app))).body
  const secrets = [
    ...[tokens.access_token, tokens.refresh_token, renewed.access_token, renewed.refresh_token],
    ...[device.pin, grant.device_code, grant.user_code, viewer.password],
  ]
  assert.ok(secrets.every((secret) => secret.length >= 7))
  const tables = await api.database.db<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `
  assert.ok(tables.length > 15)
  for (const { name } of tables) {
    const rows = await api.database.db.unsafe<{ row: string }[]>(
      `select row_to_json(each)::text as row from ${name} as each`,
    )
    const text = rows.map(({ row }) => row).join('\n')
    for (const secret of secrets) {
      const spellings = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]
      for (const spelling of spellings)
        assert.equal(text.includes(spelling), false, `A secret is in ${name}.`)
    }
  }
})

/** Creates an authorization code as the sign-in page does. */
async function makeCode() {
  const [code, code_verifier] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64url')]
  note(code)
  const redirect_uri = 'https://app.example/signed-in'
  const { site_id, _id: app_id } = api.channel.app
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  await api.database.db`
    insert into authorization_codes
      (digest, site_id, app_id, consumer_id, redirect_uri, code_challenge, scope, expires_at)
    values (${digest(code)}, ${site_id}, ${app_id}, ${viewer._id}, ${redirect_uri}, ${code_challenge}, 'consumer',
      now() + interval '1 minute')
  `
  return { grant_type: 'authorization_code', code, redirect_uri, code_verifier }
}

test('a code works once; a second use ends the session of the first', async () => {
  const code = await makeCode()
  const { status, body } = await app().token(code)
  assert.equal(status, 200)
  assert.equal(await reads(api.url, body.access_token), 200)
  assert.equal((await app().token(code)).body.error, 'invalid_grant')
  assert.equal(await reads(api.url, body.access_token), 401)
  assert.equal((await renew(body.refresh_token)).body.error, 'invalid_grant')
})

test('a code works only with its app, redirect URI and verifier, and not when expired', async () => {
  const code = await makeCode()
  const another = await api.as('admin').apps.create({ title: 'Another' })
  assert.equal((await appAt(api.url, another).token(code)).body.error, 'invalid_grant')
  const wrong = [
    { redirect_uri: 'https://app.example/signed-in/' },
    { code_verifier: randomBytes(32).toString('base64url') },
    { code_verifier: 'short' },
  ]
  for (const change of wrong)
    assert.equal((await app().token({ ...code, ...change })).body.error, 'invalid_grant')
  await api.database.db`update authorization_codes set expires_at = now() where digest = ${digest(code.code)}`
  assert.equal((await app().token(code)).body.error, 'invalid_grant')
})

test('ten uses of a code at once open one session at most, and leave none', async () => {
  const code = await makeCode()
  const replies = await Promise.all(Array.from({ length: 10 }, () => app().token(code)))
  const good = replies.filter(({ status }) => status === 200)
  assert.equal(good.length, 1)
  assert.ok(replies.every(({ status }) => status === 200 || status === 401))
  assert.equal(await reads(api.url, String(good[0]?.body.access_token)), 401)
})

test('a password change invalidates codes', async () => {
  const consumer = await api.channel.consumer()
  const code = await makeCode()
  await api.database.db`
    update authorization_codes set consumer_id = ${consumer._id} where digest = ${digest(code.code)}
  `
  await api.as('admin').consumers.update(consumer._id, { password: 'quite another password' })
  assert.equal((await app().token(code)).body.error, 'invalid_grant')
})
