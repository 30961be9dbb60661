export type {
  AllVideos,
  ApiKey,
  AppSecrets,
  ChannelOfUser,
  Invitation,
  InvitationSeen,
  KeyKind,
  LoggedRequest,
  Member,
  NewInvitation,
  Overview,
  PlaySum,
  PublisherSession,
  RequestQuery,
  Role,
  SavedView,
  SignedInSession,
  SignInMethods,
  SomeVideos,
  Status,
  StorageFacts,
} from '@zoetrope/contract'

/** A video in a player, as code for pages and as addresses. */
export interface PlayerSnippets {
  readonly iframe: string
  readonly script: string
  readonly element: string
  readonly page_url: string
  readonly share_url: string
  readonly oembed_url: string
  readonly manifest_url: string
}
