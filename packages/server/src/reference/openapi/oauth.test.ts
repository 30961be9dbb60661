import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '@zoetrope/contract'
import { openApi } from './document.js'

const { components, paths } = openApi({ apiUrl: 'https://api.example.com/', version: '1.2.3' })
const operation = (method: string, path: string) =>
  paths[path]?.[method] as {
    readonly security: object[]
    readonly responses: Record<string, object>
    readonly requestBody?: { readonly content: object }
  }

test('the token endpoint is described with all its grants, as form and as JSON', () => {
  const { security, requestBody } = operation('post', '/oauth/token')
  const fields = components.schemas.TokenRequest?.properties as Record<string, JsonSchema>

  assert.deepEqual(security, [{ client: [] }, {}])
  assert.deepEqual(Object.keys(requestBody?.content ?? {}), [
    'application/x-www-form-urlencoded',
    'application/json',
  ])
  assert.deepEqual(fields.grant_type?.enum, [
    'password',
    'refresh_token',
    'authorization_code',
    'urn:ietf:params:oauth:grant-type:device_code',
  ])
})

test('the errors of the token endpoints are those of RFC 6749, with the headers they come with', () => {
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/device_authorization'])
    assert.deepEqual(Object.keys(operation('post', path).responses), [
      '200',
      '400',
      '401',
      '429',
      '500',
      '503',
    ])
  const { responses = {} } = components as { responses?: Record<string, { headers: object }> }
  assert.ok('WWW-Authenticate' in (responses.token_unauthorized?.headers ?? {}))
  for (const name of ['token_too_many', 'token_unavailable'])
    assert.ok('Retry-After' in (responses[name]?.headers ?? {}), name)
})

test('the state of a token is asked for with that token, the pages and the metadata with nothing', () => {
  assert.deepEqual(operation('get', '/oauth/token/info').security, [
    { access_token: [] },
    { bearer: [] },
    { oauth2: [] },
  ])
  assert.deepEqual(operation('get', '/oauth/authorize').security, [])
  assert.deepEqual(operation('get', '/.well-known/oauth-authorization-server').security, [])
})

test('the flows name the endpoints of this installation', () => {
  const { oauth2 } = components.securitySchemes as {
    oauth2: { flows: Record<string, { tokenUrl: string; authorizationUrl?: string }> }
  }

  assert.equal(oauth2.flows.password?.tokenUrl, 'https://api.example.com/oauth/token')
  assert.equal(oauth2.flows.authorizationCode?.authorizationUrl, 'https://api.example.com/oauth/authorize')
})
