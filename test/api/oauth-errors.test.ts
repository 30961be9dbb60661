import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi, type TestConsumer } from '../support/api.js'
import {
  appAt,
  basicOf,
  clientOf,
  info,
  passwordOf,
  post,
  refreshOf,
  send,
  type TokenReply,
} from './oauth-requests.js'

let api: TestApi
let viewer: TestConsumer
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
})
after(() => api.stop())

const ask = (parameters: Record<string, string>) => appAt(api.url, api.channel.app).token(parameters)
const sendBody = (type: string, body: string | Uint8Array<ArrayBuffer>) =>
  send(`${api.url}/oauth/token`, { method: 'POST', headers: { 'content-type': type }, body })

/** Asserts that an error has the common shape and is not cacheable. */
function isRefusal({ status, headers, body }: TokenReply, expected: number, error: string): void {
  assert.deepEqual([status, body.error], [expected, error])
  assert.deepEqual(Object.keys(body), ['error', 'error_description', 'message'])
  assert.match(body.message, /^[A-Z].*\.$/s)
  assert.equal(body.error_description, body.message)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('pragma'), 'no-cache')
  assert.equal(headers.has('www-authenticate'), expected === 401)
}

test('invalid_grant is 401 and names the scheme, for every grant', async () => {
  const device_code = 'urn:ietf:params:oauth:grant-type:device_code'
  const wrong: Record<string, string>[] = [
    passwordOf({ ...viewer, password: 'not the password of anyone' }),
    { grant_type: 'password', linked_device_id: 'nobody knows it', pin: 'zizm529' },
    refreshOf('0'.repeat(64)),
    { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://app.example', code_verifier: 'y' },
    { grant_type: device_code, device_code: 'x' },
  ]
  for (const parameters of wrong) {
    const reply = await ask(parameters)
    isRefusal(reply, 401, 'invalid_grant')
    assert.match(
      reply.headers.get('www-authenticate') ?? '',
      /^Bearer realm="zoetrope", error="invalid_grant"$/,
    )
  }
})

test('invalid_client is 401 with a challenge in the scheme that the client used', async () => {
  const { client_id } = api.channel.app
  const inBody = await post(`${api.url}/oauth/token`, {
    client_id,
    client_secret: 'wrong',
    ...passwordOf(viewer),
  })
  isRefusal(inBody, 401, 'invalid_client')
  assert.match(inBody.headers.get('www-authenticate') ?? '', /^Bearer /)
  const headers = basicOf({ client_id, client_secret: 'wrong' })
  const byBasic = await post(`${api.url}/oauth/token`, passwordOf(viewer), { headers })
  isRefusal(byBasic, 401, 'invalid_client')
  assert.match(byBasic.headers.get('www-authenticate') ?? '', /^Basic realm="zoetrope"/)
})

test('a malformed Basic header is invalid_client, never a server error', async () => {
  for (const text of [
    '',
    'no colon',
    ':',
    ':secret',
    '%00:x',
    'a%00b:c%00d',
    '%ff:%',
    '\u0000:\u0000',
    '\ufffd:x',
  ]) {
    const headers = { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
    isRefusal(await post(`${api.url}/oauth/token`, passwordOf(viewer), { headers }), 401, 'invalid_client')
  }
  const headers = { authorization: 'Basic *** not base64 ***' }
  isRefusal(await post(`${api.url}/oauth/token`, passwordOf(viewer), { headers }), 401, 'invalid_client')
})

test('a percent-encoded client id and secret are accepted in a Basic header', async () => {
  const { client_id, client_secret } = api.channel.app
  const encoded = {
    client_id: client_id.replace(/^./, percent),
    client_secret: client_secret.replace(/_/g, '%5F'),
  }
  const headers = basicOf(encoded)
  assert.equal((await post(`${api.url}/oauth/token`, passwordOf(viewer), { headers })).status, 200)
})

const percent = (character: string) => `%${character.charCodeAt(0).toString(16)}`

test('one way of client authentication at a time: both at once is invalid_request', async () => {
  const headers = basicOf(api.channel.app)
  const both = { ...clientOf(api.channel.app), ...passwordOf(viewer) }
  isRefusal(await post(`${api.url}/oauth/token`, both, { headers }), 400, 'invalid_request')
  const another = { client_id: api.other.app.client_id, ...passwordOf(viewer) }
  isRefusal(await post(`${api.url}/oauth/token`, another, { headers }), 400, 'invalid_request')
  const same = { client_id: api.channel.app.client_id, ...passwordOf(viewer) }
  assert.equal((await post(`${api.url}/oauth/token`, same, { headers })).status, 200)
})

test('invalid_request, unsupported_grant_type and invalid_scope are 400', async () => {
  isRefusal(await ask({}), 400, 'invalid_request')
  isRefusal(await ask({ grant_type: 'password' }), 400, 'invalid_request')
  isRefusal(await ask({ grant_type: 'refresh_token' }), 400, 'invalid_request')
  isRefusal(await ask({ grant_type: 'authorization_code', code: 'x' }), 400, 'invalid_request')
  for (const grant_type of ['client_credentials', 'implicit', 'PASSWORD', '__proto__', 'toString'])
    isRefusal(await ask({ grant_type }), 400, 'unsupported_grant_type')
  for (const scope of ['admin', 'consumer admin', 'Consumer', 'toString', 'consumer,public'])
    isRefusal(await ask({ ...passwordOf(viewer), scope }), 400, 'invalid_scope')
})

test('a parameter given twice is invalid_request, in every place', async () => {
  const form = new URLSearchParams({ ...clientOf(api.channel.app), ...passwordOf(viewer) })
  const twice = await sendBody('application/x-www-form-urlencoded', `${form}&username=ada@example.com`)
  isRefusal(twice, 400, 'invalid_request')
  assert.equal(twice.body.message, 'The parameter username is given twice.')
  const inQuery = await send(`${api.url}/oauth/token?${form}&password=x`, { method: 'POST' })
  isRefusal(inQuery, 400, 'invalid_request')
  const spread = await send(`${api.url}/oauth/token?grant_type=password`, { method: 'POST', body: form })
  isRefusal(spread, 400, 'invalid_request')
  const list = JSON.stringify({ ...Object.fromEntries(form), password: ['a', 'b'] })
  isRefusal(await sendBody('application/json', list), 400, 'invalid_request')
})

test('parameters that are not strings are invalid_request; empty ones count as absent', async () => {
  const good = { ...clientOf(api.channel.app), ...passwordOf(viewer) }
  const odd = [
    { username: { a: 1 } },
    { username: 'a\u0000b' },
    { password: '\ud800' },
    { pin: 'x'.repeat(5000) },
  ]
  for (const fields of odd)
    isRefusal(
      await sendBody('application/json', JSON.stringify({ ...good, ...fields })),
      400,
      'invalid_request',
    )
  const nothing = JSON.stringify({ ...good, scope: '', pin: null, linked_device_id: '' })
  assert.equal((await sendBody('application/json', nothing)).status, 200)
})

test('unknown parameters of any form are ignored', async () => {
  const good = { ...clientOf(api.channel.app), ...passwordOf(viewer) }
  const unknown = 'resource=a&resource=b&device[model]=x&__proto__=y&constructor=z&token_type_hint=1'
  const form = `${new URLSearchParams(good)}&${unknown}`
  assert.equal((await sendBody('application/x-www-form-urlencoded', form)).status, 200)
  const json = JSON.stringify({ ...good, device: { model: ['x'] }, long: 'x'.repeat(10_000) })
  assert.equal((await sendBody('application/json', json)).status, 200)
})

test('a body that cannot be read is invalid_request', async () => {
  const bodies: [string, string | Uint8Array<ArrayBuffer>][] = [
    ['application/json', '{"grant_type":'],
    ['application/json', '["password"]'],
    ['application/json', Uint8Array.from([0x7b, 0xff, 0xfe])],
    ['text/xml', '<request><grant_type>password'],
    ['text/xml', '<!DOCTYPE r [<!ENTITY e "x">]><r><grant_type>&e;</grant_type></r>'],
    ['text/plain', 'grant_type=password'],
    ['application/octet-stream', 'grant_type=password'],
  ]
  for (const [type, body] of bodies) isRefusal(await sendBody(type, body), 400, 'invalid_request')
  isRefusal(await sendBody('application/json', `{"a":"${'x'.repeat(12_000_000)}"}`), 413, 'invalid_request')
})

test('errors are returned in XML on request', async () => {
  const { client_id } = api.channel.app
  const reply = await sendBody('text/xml', `<request><client_id>${client_id}</client_id></request>`)
  isRefusal(reply, 401, 'invalid_client')
  assert.match(reply.headers.get('content-type') ?? '', /^text\/xml|^application\/xml/)
  assert.match(reply.text, /^<\?xml [^>]*\?><error><error>invalid_client<\/error><error_description>/)
})

const perRequest = new Set(['date', 'x-request-id'])

test('an unknown consumer and a wrong password get byte-identical responses', async () => {
  const { _id } = await api.as('admin').consumers.create({ email: 'no-password@example.com' })
  const claims = [
    passwordOf({ ...viewer, password: 'wrong but plausible 1' }),
    passwordOf({ email: 'nobody@example.com', password: 'wrong but plausible 2' }),
    passwordOf({ email: 'no-password@example.com', password: 'wrong but plausible 3' }),
    passwordOf({ email: _id, password: 'wrong but plausible 4' }),
  ]
  const answers = []
  for (const claim of claims) {
    const { status, headers, text } = await ask(claim)
    answers.push({ status, text, headers: [...headers].filter(([name]) => !perRequest.has(name)) })
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0])
})

test('an unknown device, a wrong PIN and an unlinked device get byte-identical responses', async () => {
  const { pin: device } = api.channel.as('app')
  const waiting = await device.acquire({ linked_device_id: 'not linked yet' })
  const claims = [
    { linked_device_id: 'unknown', pin: 'zizm529' },
    { linked_device_id: 'not linked yet', pin: 'zizm529' },
    { linked_device_id: 'not linked yet', pin: String(waiting.pin) },
  ]
  const texts = new Set<string>()
  for (const claim of claims) {
    const reply = await ask({ grant_type: 'password', ...claim })
    isRefusal(reply, 401, 'invalid_grant')
    texts.add(reply.text)
  }
  assert.equal(texts.size, 1)
})

test('revoking and introspecting need a client, introspecting one with its secret', async () => {
  const token = viewer.access_token
  isRefusal(await post(`${api.url}/oauth/revoke`, { token }), 401, 'invalid_client')
  isRefusal(await post(`${api.url}/oauth/introspect`, { token }), 401, 'invalid_client')
  isRefusal(await post(`${api.url}/oauth/device_authorization`, {}), 401, 'invalid_client')
  isRefusal(await appAt(api.url, api.channel.app).revoke(''), 400, 'invalid_request')
  isRefusal(await appAt(api.url, api.channel.app).introspect(''), 400, 'invalid_request')
  const open = await api.as('admin').apps.create({ title: 'Open', public_client: true })
  const asked = await post(`${api.url}/oauth/introspect`, { client_id: open.client_id, token })
  isRefusal(asked, 401, 'invalid_client')
  assert.equal((await info(api.url, token)).status, 200)
})

test('a wrong method returns the right one, in the format of token errors', async () => {
  const reply = await send(`${api.url}/oauth/revoke`)
  isRefusal(reply, 405, 'method_not_allowed')
  assert.equal(reply.headers.get('allow'), 'POST')
})

test('an app in a browser may call the token endpoints from anywhere, and read refusals too', async () => {
  const headers = { origin: 'https://tv.example', 'access-control-request-method': 'POST' }
  const before = await fetch(`${api.url}/oauth/token`, { method: 'OPTIONS', headers })
  assert.equal(before.headers.get('access-control-allow-origin'), 'https://tv.example')
  const refused = await post(`${api.url}/oauth/token`, {}, { headers: { origin: 'https://tv.example' } })
  isRefusal(refused, 401, 'invalid_client')
  assert.equal(refused.headers.get('access-control-allow-origin'), 'https://tv.example')
})

test('too many wrong passwords return 429 with the time to wait, in the format of token errors', async () => {
  const victim = await api.channel.consumer()
  const replies = []
  for (let turn = 0; turn < 11; turn += 1)
    replies.push(await ask(passwordOf({ ...victim, password: `a wild guess, number ${turn}` })))
  const last = replies.at(-1) as TokenReply
  isRefusal(last, 429, 'too_many_requests')
  assert.ok(Number(last.headers.get('retry-after')) > 0)
  assert.equal((await appAt(api.url, api.channel.app).token(refreshOf(victim.refresh_token))).status, 200)
})
