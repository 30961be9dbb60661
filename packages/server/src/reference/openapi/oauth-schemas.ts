import type { JsonSchema } from '@zoetrope/contract'
import { scopes } from '../../auth/scopes.js'
import { requestId, retryAfter } from './responses.js'
import { schemaRef } from './schemas.js'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const textOf = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
})
const secretOf = (description: string) => textOf(description, { format: 'password', writeOnly: true })
const tokenOf = (description: string) => textOf(description, { examples: ['9f2c'.repeat(16)] })
const seconds = (description: string) => ({ type: 'integer', description })
const listOf = (description: string) => ({ type: 'array', items: { type: 'string' }, description })

function object(description: string, properties: Record<string, JsonSchema>, required: string[]): JsonSchema {
  return { type: 'object', description, required, properties, xml: { name: 'result' } }
}
const whole = (description: string, properties: Record<string, JsonSchema>) =>
  object(description, properties, Object.keys(properties))

const client = {
  client_id: textOf('The client id of the app; here or by HTTP Basic.'),
  client_secret: secretOf('Its client secret; here or by HTTP Basic. A public client has none.'),
}
const scope = textOf(
  `What the tokens shall be good for: ${Object.keys(scopes)
    .map((name) => `\`${name}\``)
    .join(' or ')}. Everything when absent.`,
  { examples: ['consumer'] },
)

/** What is sent to the token endpoints and what they answer, by component name. */
export const oauthSchemas: Readonly<Record<string, JsonSchema>> = {
  TokenRequest: object(
    'Which fields are needed depends on the grant.',
    {
      grant_type: {
        type: 'string',
        enum: ['password', 'refresh_token', 'authorization_code', deviceGrant],
        description: 'How the consumer is known.',
      },
      ...client,
      username: textOf('For `password`: the e-mail address of the consumer.'),
      password: secretOf('With `username`: the password.'),
      linked_device_id: textOf('For `password`: the id that a linked device gave itself.'),
      pin: textOf('With `linked_device_id`: the PIN the device shows.'),
      refresh_token: textOf('For `refresh_token`: the one that came with the tokens.'),
      code: textOf('For `authorization_code`: the code from the sign-in page.'),
      redirect_uri: textOf('With `code`: the address the code was sent to.'),
      code_verifier: textOf('With `code`: what the code challenge was made from.'),
      device_code: textOf('For the device grant: the code of the device.'),
      scope,
    },
    ['grant_type'],
  ),
  Tokens: whole('An access token, and the refresh token that replaces both.', {
    access_token: tokenOf('Send it as `access_token` or as `Authorization: Bearer`.'),
    token_type: { const: 'bearer', description: 'Always `bearer`.' },
    expires_in: seconds('Seconds that the access token lives.'),
    refresh_token: tokenOf('Good for one new pair of tokens; the old pair ends with it.'),
    scope: textOf('What the tokens are good for, separated by spaces.', { examples: ['consumer'] }),
    created_at: seconds('When they were issued, in seconds since 1970.'),
  }),
  TokenInfo: whole('What is known of an access token that is alive.', {
    resource_owner_id: textOf('The consumer.', { pattern: '^[0-9a-f]{24}$' }),
    scope: listOf('What it is good for.'),
    scopes: listOf('The same.'),
    expires_in: seconds('Seconds that are left.'),
    expires_in_seconds: seconds('The same.'),
    application: {
      type: 'object',
      description: 'The app it was issued to.',
      required: ['uid'],
      properties: { uid: textOf('Its client id.') },
    },
    created_at: seconds('When it was issued, in seconds since 1970.'),
  }),
  TokenQuestion: object(
    'A token, and the app that asks.',
    {
      token: textOf('An access token or a refresh token.'),
      token_type_hint: textOf('`access_token` or `refresh_token`. Not needed: every kind is looked for.'),
      ...client,
    },
    ['token'],
  ),
  Introspection: object(
    'For a token that is not alive, or of another channel, `active` is false and stands alone.',
    {
      active: { type: 'boolean', description: 'Whether the token is alive.' },
      scope: textOf('What it is good for, separated by spaces.'),
      client_id: textOf('The app it was issued to.'),
      username: textOf('The e-mail address of the consumer.'),
      token_type: textOf('`bearer` for an access token, or `refresh_token`.'),
      exp: seconds('When it ends, in seconds since 1970.'),
      iat: seconds('When it was issued, in seconds since 1970.'),
      sub: textOf('The consumer.'),
      iss: textOf('The address that the token comes from.'),
    },
    ['active'],
  ),
  DeviceAuthorizationRequest: object('The app that the device runs.', { ...client, scope }, []),
  DeviceAuthorization: object(
    'What the device shows, and what it asks with meanwhile.',
    {
      device_code: textOf('What the device asks the token endpoint with.'),
      user_code: textOf('The PIN to show.', { examples: ['zizm529'] }),
      verification_uri: textOf('The address to show beside it.'),
      verification_uri_complete: textOf('The same with the PIN in it, for a picture to be scanned.'),
      expires_in: seconds('Seconds that both codes live.'),
      interval: seconds('Seconds to wait between two questions.'),
    },
    ['device_code', 'user_code', 'verification_uri', 'expires_in', 'interval'],
  ),
  ServerMetadata: object(
    'Where the endpoints are and what they know (RFC 8414).',
    {
      issuer: textOf('The address that the tokens come from.'),
      authorization_endpoint: textOf('The sign-in page.'),
      token_endpoint: textOf('Where tokens are issued.'),
      token_endpoint_auth_methods_supported: listOf('How an app may prove who it is.'),
      revocation_endpoint: textOf('Where tokens are ended.'),
      revocation_endpoint_auth_methods_supported: listOf('The same, there.'),
      introspection_endpoint: textOf('Where tokens are looked up.'),
      introspection_endpoint_auth_methods_supported: listOf('The same, there.'),
      device_authorization_endpoint: textOf('Where devices begin.'),
      scopes_supported: listOf('What tokens may be issued for.'),
      response_types_supported: listOf('The response types of the sign-in page.'),
      response_modes_supported: listOf('How it does that.'),
      grant_types_supported: listOf('The grants of the token endpoint.'),
      code_challenge_methods_supported: listOf('How a code challenge is made.'),
      authorization_response_iss_parameter_supported: {
        type: 'boolean',
        description: 'Whether the sign-in page says who answers, as `iss` (RFC 9207).',
      },
      service_documentation: textOf('Where this reference is.'),
    },
    ['issuer', 'token_endpoint', 'response_types_supported'],
  ),
  TokenError: {
    ...whole('What went wrong, as RFC 6749 says it and as the rest of the API does.', {
      error: textOf('A stable word for a program.', { examples: ['invalid_grant'] }),
      error_description: textOf('A sentence for a person.'),
      message: textOf('The same sentence.'),
    }),
    xml: { name: 'error' },
  },
}

const failure = (description: string, error: string, sentence: string, more: object = {}) => ({
  description,
  headers: { ...requestId, ...more },
  content: {
    'application/json': {
      schema: schemaRef('TokenError'),
      example: { error, error_description: sentence, message: sentence },
    },
    'application/xml': { schema: schemaRef('TokenError') },
  },
})

/** The errors of the token endpoints, by component name. */
export const oauthResponses = {
  token_refused: failure(
    'The request is not one that can be answered; `error` says why: `invalid_request`, `unsupported_grant_type`, `invalid_scope`, `unauthorized_client`; for the device grant also `authorization_pending`, `slow_down`, `expired_token`, `access_denied`.',
    'invalid_request',
    'The parameter grant_type is required.',
  ),
  token_unauthorized: failure(
    'The app (`invalid_client`), the consumer or what stands for them (`invalid_grant`), or the access token (`invalid_token`) is not known.',
    'invalid_grant',
    'The sign-in is not valid: the name or the secret is wrong, or it has expired.',
    { 'WWW-Authenticate': { $ref: '#/components/headers/WWWAuthenticate' } },
  ),
  token_too_many: failure(
    'Too many attempts; Retry-After says when to come back.',
    'too_many_requests',
    'Too many attempts. Try again in 30 seconds.',
    retryAfter,
  ),
  token_failed: failure(
    'Something went wrong on our side.',
    'server_error',
    'Something went wrong on our side. The log has the details under the request id.',
  ),
  token_unavailable: failure(
    'Not possible for the moment; Retry-After says when to come back.',
    'temporarily_unavailable',
    'Too many sign-ins are under way. Try again in a moment.',
    retryAfter,
  ),
}

/** Those errors by status, to be put among the answers of an operation. */
export const oauthErrors = {
  400: { $ref: '#/components/responses/token_refused' },
  401: { $ref: '#/components/responses/token_unauthorized' },
  429: { $ref: '#/components/responses/token_too_many' },
  500: { $ref: '#/components/responses/token_failed' },
  503: { $ref: '#/components/responses/token_unavailable' },
} as const

export const noStore = { 'Cache-Control': { description: 'Always `no-store`.', schema: { type: 'string' } } }
