import { type CredentialKind, callerKinds } from '@zoetrope/contract'
import { scopes } from '../../auth/scopes.js'

type CredentialParameter = (typeof callerKinds)[CredentialKind]['parameter']

/** The ways to send each credential: as a query parameter, or as a header. */
const ways: Readonly<Record<CredentialParameter, readonly string[]>> = {
  api_key: ['api_key', 'api_key_header', 'key_bearer', 'key_basic'],
  app_key: ['app_key', 'app_key_header', 'key_bearer', 'key_basic'],
  access_token: ['access_token', 'bearer', 'oauth2'],
  upload_token: ['upload_token', 'upload_token_header'],
}

function about(parameter: CredentialParameter): string {
  return Object.values(callerKinds)
    .filter((kind) => kind.parameter === parameter)
    .map((kind) => kind.about)
    .join(' ')
}

export const securitySchemes = (apiUrl: string) => ({
  api_key: { type: 'apiKey', in: 'query', name: 'api_key', description: about('api_key') },
  api_key_header: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: about('api_key') },
  app_key: { type: 'apiKey', in: 'query', name: 'app_key', description: about('app_key') },
  app_key_header: { type: 'apiKey', in: 'header', name: 'X-App-Key', description: about('app_key') },
  key_bearer: { type: 'http', scheme: 'bearer', description: 'An API key or an app key.' },
  key_basic: {
    type: 'http',
    scheme: 'basic',
    description: 'An API key or an app key as the user name; the password is not read.',
  },
  access_token: { type: 'apiKey', in: 'query', name: 'access_token', description: about('access_token') },
  bearer: { type: 'http', scheme: 'bearer', description: about('access_token') },
  upload_token: { type: 'apiKey', in: 'query', name: 'upload_token', description: about('upload_token') },
  upload_token_header: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Upload-Token',
    description: about('upload_token'),
  },
  oauth2: {
    type: 'oauth2',
    description: `${about('access_token')} Sent as \`Authorization: Bearer\`.`,
    flows: flowsAt(apiUrl),
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'The client id and the client secret of an app, at the token endpoints.',
  },
})

function flowsAt(apiUrl: string): object {
  const base = apiUrl.replace(/\/+$/, '')
  const tokenUrl = `${base}/oauth/token`
  const common = { tokenUrl, refreshUrl: tokenUrl, scopes }
  return {
    authorizationCode: { authorizationUrl: `${base}/oauth/authorize`, ...common },
    password: common,
  }
}

/** Any one of the credentials that these kinds of caller have; `scope` is what an access token must be issued for. */
export function securityOf(
  kinds: readonly CredentialKind[],
  scope: keyof typeof scopes,
): Record<string, string[]>[] {
  const parameters = new Set(kinds.map((kind) => callerKinds[kind].parameter))
  return [...new Set([...parameters].flatMap((parameter) => ways[parameter]))].map((scheme) => ({
    [scheme]: scheme === 'oauth2' && scope === 'consumer' ? [scope] : [],
  }))
}
