export type { Pagination, SearchMatch, SearchSummary } from '@zoetrope/contract'
export type { CallOptions, Client, Page } from './client.js'
export { createClient } from './create-client.js'
export { followEvents } from './follow-events.js'
export {
  type ChannelSession,
  type ClientOptions,
  type Connection,
  type Credential,
  credentialHeader,
  type RenewSession,
} from './options.js'
export type * from './publisher.js'
export { createPublisher, type Publisher } from './publisher-client.js'
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
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookRequest,
  WebhookVerificationError,
} from './verify-webhook.js'
export { type PlayerWishes, readText, videoFrame, watchVideo } from './watch-video.js'
export { ZoetropeError } from './zoetrope-error.js'
