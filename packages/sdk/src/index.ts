export type { ChannelEvent, Pagination, SearchMatch, SearchSummary } from '@zoetrope/contract'
export type { CallOptions, Client, Page } from './client.js'
export { createClient } from './create-client.js'
export type { FollowEventsOptions, FollowEventsQuery, VideoProgress } from './follow.js'
export {
  type ChannelSession,
  type ClientOptions,
  type Connection,
  type Credential,
  credentialHeader,
  type RenewSession,
} from './options.js'
export { type PlayerWishes, readText, videoFrame } from './player-frame.js'
export type * from './publisher.js'
export { createPublisher, type Publisher } from './publisher-client.js'
export type { SendFileOptions, SentFile } from './send-file.js'
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
  type WebhookRequest,
  WebhookVerificationError,
} from './verify-webhook.js'
export { ZoetropeError } from './zoetrope-error.js'
