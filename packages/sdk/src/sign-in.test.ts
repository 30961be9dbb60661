import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, startServer } from '../test/server.js'
import {
  createClient,
  refreshTokens,
  revokeToken,
  signIn,
  signInDevice,
  type Tokens,
  tokenInfo,
  ZoetropeError,
} from './index.js'

const tokens: Tokens = {
  access_token: 'a'.repeat(64),
  token_type: 'bearer',
  expires_in: 604_800,
  refresh_token: 'b'.repeat(64),
  scope: 'consumer',
  created_at: 1_773_342_286,
}
const app = { clientId: 'client', clientSecret: 'secret' }

test('every grant sends a form to the token endpoint and returns the tokens unchanged', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, tokens))

  assert.deepEqual(await signIn({ url, ...app, username: 'ada@example.com', password: 'a b&c' }), tokens)
  await signInDevice({ url, clientId: 'client', linkedDeviceId: 'tv-1', pin: 'zizm529', scope: 'public' })
  await refreshTokens({ url, ...app, refreshToken: tokens.refresh_token })

  assert.ok(seen.every(({ method, url }) => `${method} ${url}` === 'POST /oauth/token'))
  assert.match(seen[0]?.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/)
  assert.deepEqual(
    seen.map(({ body }) => body),
    [
      {
        client_id: 'client',
        client_secret: 'secret',
        grant_type: 'password',
        username: 'ada@example.com',
        password: 'a b&c',
      },
      {
        client_id: 'client',
        grant_type: 'password',
        linked_device_id: 'tv-1',
        pin: 'zizm529',
        scope: 'public',
      },
      {
        client_id: 'client',
        client_secret: 'secret',
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      },
    ],
  )
})

test('a rejected sign-in has the error of RFC 6749 as its code, and the message', async (t) => {
  const message = 'The e-mail address or the password is not right.'
  const { url } = await startServer(t, (reply) =>
    json(reply, 401, { error: 'invalid_grant', error_description: message, message }),
  )

  const failure = await signIn({ url, ...app, username: 'ada@example.com', password: 'x' }).catch((e) => e)

  assert.ok(failure instanceof ZoetropeError)
  assert.deepEqual([failure.status, failure.code, failure.message], [401, 'invalid_grant', message])
})

test('too many attempts have the time to wait', async (t) => {
  const { url, seen } = await startServer(t, (reply) =>
    json(reply, 429, { error: 'slow_down', message: 'Too many attempts.' }, { 'retry-after': '120' }),
  )

  await assert.rejects(signIn({ url, ...app, username: 'ada@example.com', password: 'x' }), {
    status: 429,
    code: 'slow_down',
    retryAfter: 120,
  })
  assert.equal(seen.length, 1)
})

test('revoking ignores the body of the response', async (t) => {
  const { url, seen } = await startServer(t, (reply) => reply.writeHead(200).end())

  assert.equal(await revokeToken({ url, ...app, token: tokens.access_token }), undefined)
  assert.equal(seen[0]?.url, '/oauth/revoke')
  assert.deepEqual(seen[0]?.body, {
    client_id: 'client',
    client_secret: 'secret',
    token: tokens.access_token,
  })
})

test('tokenInfo sends the token in a header, never in the URL', async (t) => {
  const info = { resource_owner_id: '65f0c0ffee0123456789abcd', scope: ['consumer'], scopes: ['consumer'] }
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, info))

  assert.deepEqual(await tokenInfo({ url, accessToken: tokens.access_token }), info)
  assert.equal(seen[0]?.url, '/oauth/token/info')
  assert.equal(seen[0]?.headers.authorization, `Bearer ${tokens.access_token}`)
})

test('the access token of a sign-in is a credential of the client', async (t) => {
  const { url, seen } = await startServer(t, (reply) => json(reply, 200, { ...tokens, response: {} }))
  const { access_token } = await signIn({ url, ...app, username: 'ada@example.com', password: 'x' })
  await createClient({ url, accessToken: access_token }).consumers.get('65f0c0ffee0123456789abcd')

  assert.equal(seen[1]?.headers.authorization, `Bearer ${tokens.access_token}`)
})

test('a page of another server is not accepted as tokens', async (t) => {
  const { url } = await startServer(t, (reply) => json(reply, 200, { welcome: true }))

  await assert.rejects(refreshTokens({ url, ...app, refreshToken: 'x' }), { status: 200, code: 'unreadable' })
})
