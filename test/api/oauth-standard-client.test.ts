import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { startOwnApi, type TestApi, type TestConsumer } from '../support/api.js'
import { note } from '../support/secrets.js'

/** The only deviation from the defaults: the server under test uses plain http. */
const insecure = { [oauth.allowInsecureRequests]: true }
const redirectUri = 'https://app.example/signed-in'

let api: TestApi
let viewer: TestConsumer
let server: oauth.AuthorizationServer
before(async () => {
  api = await startOwnApi()
  viewer = await api.channel.consumer()
  const issuer = new URL(api.url)
  const reply = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  server = await oauth.processDiscoveryResponse(issuer, reply)
})
after(() => api.stop())

interface Known {
  readonly client: oauth.Client
  readonly proof: oauth.ClientAuth
}

/** Creates one client of each kind: with the secret in the header, in the body, and without a secret. */
async function clients(): Promise<Readonly<Record<string, Known>>> {
  const { apps } = api.as('admin')
  const closed = await apps.create({ title: 'With a secret', redirect_uris: [redirectUri] })
  const open = await apps.create({ title: 'Without', public_client: true, redirect_uris: [redirectUri] })
  const client = { client_id: closed.client_id }
  return {
    client_secret_basic: { client, proof: oauth.ClientSecretBasic(closed.client_secret) },
    client_secret_post: { client, proof: oauth.ClientSecretPost(closed.client_secret) },
    none: { client: { client_id: open.client_id }, proof: oauth.None() },
  }
}

/** Fills in the form of a page as a browser would, with its hidden fields, and sends it. */
async function submit(page: Response, fields: Readonly<Record<string, string>>): Promise<Response> {
  const html = await page.text()
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
  assert.ok(action, `There is no form in ${html}`)
  const body = new URLSearchParams(fields)
  for (const [input] of html.matchAll(/<input[^>]* type="hidden"[^>]*>/g)) {
    const [name, value] = ['name', 'value'].map((each) => new RegExp(` ${each}="([^"]*)"`).exec(input)?.[1])
    body.append(String(name), String(value))
  }
  return fetch(new URL(action, page.url), { method: 'POST', body, redirect: 'manual' })
}

async function readsVideos(access_token: string): Promise<number> {
  const reply = await oauth
    .protectedResourceRequest(
      access_token,
      'GET',
      new URL(`${api.url}/videos`),
      undefined,
      undefined,
      insecure,
    )
    .catch((error: unknown) => {
      if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response
      throw error
    })
  return reply.status
}

async function renewed({ client, proof }: Known, refreshToken: string): Promise<oauth.TokenEndpointResponse> {
  const reply = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, insecure)
  const tokens = await oauth.processRefreshTokenResponse(server, client, reply)
  note(tokens.access_token)
  return tokens
}

async function revoked({ client, proof }: Known, token: string): Promise<void> {
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, proof, token, insecure))
}

/** Uses, refreshes and revokes tokens, as every client does. */
async function useAndEnd(known: Known, tokens: oauth.TokenEndpointResponse): Promise<void> {
  assert.equal(tokens.token_type, 'bearer')
  assert.equal(await readsVideos(tokens.access_token), 200)
  const second = await renewed(known, String(tokens.refresh_token))
  assert.equal(await readsVideos(tokens.access_token), 401)
  assert.equal(await readsVideos(second.access_token), 200)
  await revoked(known, String(second.refresh_token))
  assert.equal(await readsVideos(second.access_token), 401)
  await assert.rejects(renewed(known, String(second.refresh_token)), (error) => {
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
    assert.equal(error.status, 401)
    assert.equal(error.cause[0]?.parameters.error, 'invalid_grant')
    return true
  })
}

/** Signs the viewer in on the page that the app opens. Returns the URL to which the browser is redirected. */
async function authorize({ client }: Known, verifier: string, state: string): Promise<URL> {
  const address = new URL(String(server.authorization_endpoint))
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'consumer',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  const sent = await submit(await fetch(address), { email: viewer.email, password: viewer.password })
  assert.ok(sent.status === 302 || sent.status === 303, `${sent.status}: ${await sent.text()}`)
  return new URL(String(sent.headers.get('location')))
}

async function linkOnPage(user_code: string, decision: 'allow' | 'deny'): Promise<Response> {
  const pinPage = await fetch(`${api.url}/link?pin=${user_code}`)
  const signInPage = await submit(pinPage, { pin: user_code })
  const approvePage = await submit(signInPage, { email: viewer.email, password: viewer.password })
  return submit(approvePage, { decision })
}

async function beginDevice({ client, proof }: Known): Promise<oauth.DeviceAuthorizationResponse> {
  const parameters = { scope: 'consumer' }
  const reply = await oauth.deviceAuthorizationRequest(server, client, proof, parameters, insecure)
  return oauth.processDeviceAuthorizationResponse(server, client, reply)
}

async function poll({ client, proof }: Known, device_code: string): Promise<oauth.TokenEndpointResponse> {
  const reply = await oauth.deviceCodeGrantRequest(server, client, proof, device_code, insecure)
  return oauth.processDeviceCodeResponse(server, client, reply)
}

const saysOf = (code: string) => (error: unknown) => {
  assert.ok(error instanceof oauth.ResponseBodyError)
  assert.deepEqual([error.status, error.error], [400, code])
  return true
}

test('discovery lists every endpoint and its capabilities', async () => {
  const plain = await fetch(`${api.url}/.well-known/oauth-authorization-server`)
  assert.deepEqual(await plain.json(), server)
  assert.equal(server.issuer, api.url)
  assert.equal(server.token_endpoint, `${api.url}/oauth/token`)
  assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
  for (const grant of ['password', 'refresh_token', 'authorization_code'])
    assert.ok(server.grant_types_supported?.includes(grant))
})

for (const method of ['client_secret_basic', 'client_secret_post', 'none']) {
  test(`code with PKCE, refresh and revocation, by a client of the method ${method}`, async () => {
    const known = (await clients())[method] as Known
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const back = await authorize(known, verifier, state)
    const answer = oauth.validateAuthResponse(server, known.client, back, state)
    const { client, proof } = known
    const reply = await oauth.authorizationCodeGrantRequest(
      server, client, proof, answer, redirectUri, verifier, insecure,
    ) // biome-ignore format: one call
    await useAndEnd(known, await oauth.processAuthorizationCodeResponse(server, client, reply))
  })

  test(`the device grant, refresh and revocation, by a client of the method ${method}`, async () => {
    const known = (await clients())[method] as Known
    const device = await beginDevice(known)
    assert.deepEqual([device.interval, device.verification_uri], [5, `${api.url}/link`])
    await assert.rejects(poll(known, device.device_code), saysOf('authorization_pending'))
    await assert.rejects(poll(known, device.device_code), saysOf('slow_down'))
    assert.equal((await linkOnPage(device.user_code, 'allow')).status, 200)
    await useAndEnd(known, await poll(known, device.device_code))
    await assert.rejects(poll(known, device.device_code), oauth.WWWAuthenticateChallengeError)
  })
}

test('a device linked by the pin call of the API gets its tokens too', async () => {
  const known = (await clients()).client_secret_basic as Known
  const device = await beginDevice(known)
  await api.as('admin').pin.link({ consumer_id: viewer._id, pin: device.user_code.toUpperCase() })
  await useAndEnd(known, await poll(known, device.device_code))
})

test('a device that its viewer refuses gets access_denied', async () => {
  const known = (await clients()).none as Known
  const device = await beginDevice(known)
  assert.equal((await linkOnPage(device.user_code, 'deny')).status, 200)
  await assert.rejects(poll(known, device.device_code), saysOf('access_denied'))
})

test('an expired device code gets expired_token, and one of another client is invalid', async () => {
  const { client_secret_basic: known, none: other } = (await clients()) as Record<string, Known>
  assert.ok(known && other)
  const device = await beginDevice(known)
  await assert.rejects(poll(other, device.device_code), oauth.WWWAuthenticateChallengeError)
  await api.database.db`update linked_devices set pin_expiration = now() where device_code_digest is not null`
  await delay(5)
  await assert.rejects(poll(known, device.device_code), saysOf('expired_token'))
})

test('introspection returns the owner of a token until it is revoked', async () => {
  const { client_secret_basic, client_secret_post } = (await clients()) as Record<string, Known>
  assert.ok(client_secret_basic && client_secret_post)
  const device = await beginDevice(client_secret_basic)
  await api.as('admin').pin.link({ consumer_id: viewer._id, pin: device.user_code })
  const { access_token } = await poll(client_secret_basic, device.device_code)
  const look = async ({ client, proof }: Known) => {
    const reply = await oauth.introspectionRequest(server, client, proof, access_token, insecure)
    return oauth.processIntrospectionResponse(server, client, reply)
  }
  for (const known of [client_secret_basic, client_secret_post]) {
    const { active, sub, iss } = await look(known)
    assert.deepEqual([active, sub, iss], [true, viewer._id, api.url])
  }
  await revoked(client_secret_basic, access_token)
  assert.deepEqual(await look(client_secret_basic), { active: false })
})
