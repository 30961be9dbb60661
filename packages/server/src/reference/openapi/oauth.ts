import { scopes } from '../../auth/scopes.js'
import { noStore, oauthErrors } from './oauth-schemas.js'
import { type PlacedOperation, placed } from './operations.js'
import { errorsOf, requestId } from './responses.js'
import { schemaRef } from './schemas.js'

export const oauthTag = {
  name: 'Tokens',
  description:
    'Sign viewers in and keep them signed in, as RFC 6749 and its companions say. These paths answer on the address of the API and on that of the sign-in pages alike, without an envelope, and errors have `error` and `error_description` beside `message`.',
}

/** The app proves itself by HTTP Basic, or with client_id and client_secret in the body. */
const byClient = [{ client: [] }, {}]
const byToken = [{ access_token: [] }, { bearer: [] }, { oauth2: [] }]

interface Post {
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly request: string
  readonly answer: string
  /** None for an answer that says nothing beyond its status. */
  readonly schema?: string
}

const posts: readonly Post[] = [
  {
    path: '/oauth/token',
    id: 'createToken',
    summary: 'Sign in, or renew tokens',
    description: `Issues an access token and a refresh token for a consumer. The grants:

- \`password\` with \`username\` and \`password\`: the consumer's e-mail address and password. An app may have it switched off.
- \`password\` with \`linked_device_id\` and \`pin\`: a device that a consumer has linked.
- \`refresh_token\`: a new pair for an old one, which ends. Used again within 30 seconds it gives the same new pair; later it ends the session.
- \`authorization_code\` with \`code\`, \`redirect_uri\` and \`code_verifier\`: after the sign-in page.
- \`urn:ietf:params:oauth:grant-type:device_code\` with \`device_code\`: for a device that shows a PIN; \`authorization_pending\` until it is linked.

The fields may also stand in the query string with an empty body.`,
    request: 'TokenRequest',
    answer: 'The tokens.',
    schema: 'Tokens',
  },
  {
    path: '/oauth/revoke',
    id: 'revokeToken',
    summary: 'Sign out',
    description:
      'Ends the session that an access token or a refresh token belongs to (RFC 7009). The answer is the same for a token that is not alive.',
    request: 'TokenQuestion',
    answer: 'The token is not alive, now or since before.',
  },
  {
    path: '/oauth/introspect',
    id: 'introspectToken',
    summary: 'Look a token up',
    description:
      'What is known of a token of the channel (RFC 7662). The app must prove itself with its client secret.',
    request: 'TokenQuestion',
    answer: 'What is known of it.',
    schema: 'Introspection',
  },
  {
    path: '/oauth/device_authorization',
    id: 'authorizeDevice',
    summary: 'Begin to link a device',
    description:
      'Gives a TV or box a PIN to show and a code to ask the token endpoint with until the viewer has typed the PIN on the page it names (RFC 8628).',
    request: 'DeviceAuthorizationRequest',
    answer: 'The two codes.',
    schema: 'DeviceAuthorization',
  },
]

function posted({ path, id, summary, description, request, answer, schema }: Post): PlacedOperation {
  const types = ['application/x-www-form-urlencoded', 'application/json']
  const content = Object.fromEntries(types.map((type) => [type, { schema: schemaRef(request) }]))
  return placed('post', path, oauthTag.name, [id, summary, description], {
    security: byClient,
    requestBody: { required: true, content },
    responses: { 200: answered(answer, schema), ...oauthErrors },
  })
}

function answered(description: string, schema?: string): object {
  const answer = { schema: schema ? schemaRef(schema) : { type: 'object', maxProperties: 0 } }
  const content = { 'application/json': answer, 'application/xml': answer }
  return { description, headers: { ...requestId, ...noStore }, content }
}

const aboutInfo =
  'Whose it is, what it is good for and how long it lives; 401 for anything that is not alive.'

const tokenInfo = placed(
  'get',
  '/oauth/token/info',
  oauthTag.name,
  ['getTokenInfo', 'Is an access token alive?', aboutInfo],
  { security: byToken, responses: { 200: answered('It is.', 'TokenInfo'), ...oauthErrors } },
)

const query = (
  name: string,
  description: string,
  required: boolean,
  schema: object = { type: 'string' },
) => ({
  ...{ name, in: 'query', required, description, schema },
})

const page = (description: string) => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
})

const aboutPage =
  'To be opened in a browser: the viewer signs in and is sent back to the app with a code for the token endpoint (RFC 6749 with PKCE, RFC 7636). What goes wrong after the app and its address are known is sent back too, as `error`.'

const signInPage = placed(
  'get',
  '/oauth/authorize',
  oauthTag.name,
  ['showSignInPage', 'The sign-in page', aboutPage],
  {
    parameters: [
      query('response_type', 'Always `code`.', true, { const: 'code' }),
      query('client_id', 'The client id of the app.', true),
      query('redirect_uri', 'Where to send the viewer back to: one of the addresses of the app.', true),
      query('code_challenge', 'The SHA-256 of the code verifier, in base64url.', true),
      query('code_challenge_method', 'Always `S256`.', true, { const: 'S256' }),
      query('scope', `${Object.keys(scopes).join(' or ')}; everything when absent.`, false),
      query('state', 'Sent back as it came.', false),
    ],
    responses: {
      200: page('The page.'),
      303: { description: 'Back to the app, with `error` and `state`.' },
      400: page('A page that says what the app has wrong.'),
      ...errorsOf(503),
    },
  },
)

const aboutMetadata = 'For client libraries that set themselves up (RFC 8414).'
const metadataSchema = { 'application/json': { schema: schemaRef('ServerMetadata') } }

const metadata = placed(
  'get',
  '/.well-known/oauth-authorization-server',
  oauthTag.name,
  ['getServerMetadata', 'Where the token endpoints are', aboutMetadata],
  {
    responses: {
      200: { description: 'The endpoints and what they know.', content: metadataSchema },
      ...errorsOf(405, 500),
    },
  },
)

export const oauthOperations = (): PlacedOperation[] => [
  ...posts.map(posted),
  tokenInfo,
  signInPage,
  metadata,
]
