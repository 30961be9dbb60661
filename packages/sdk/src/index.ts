export type { Pagination } from '@zoetrope/contract'
export type { CallOptions, Client, Page } from './client.js'
export { createClient } from './create-client.js'
export type { ClientOptions, Connection, Credential } from './options.js'
export {
  type ClientApp,
  refreshTokens,
  revokeToken,
  signIn,
  signInDevice,
  type TokenInfo,
  type Tokens,
  tokenInfo,
} from './sign-in.js'
export { ZoetropeError } from './zoetrope-error.js'
