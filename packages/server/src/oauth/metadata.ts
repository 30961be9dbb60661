import { scopes } from '../auth/scopes.js'
import { grants } from './grants/index.js'

const clientMethods = ['client_secret_basic', 'client_secret_post', 'none']

/** RFC 8414: the metadata that standard clients need. */
export const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  token_endpoint_auth_methods_supported: clientMethods,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: clientMethods,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  introspection_endpoint_auth_methods_supported: clientMethods.slice(0, 2),
  device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
  scopes_supported: Object.keys(scopes),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grants.map(({ name }) => name),
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs`,
})
