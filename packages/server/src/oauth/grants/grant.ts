import type { Client } from '../../auth/clients.js'
import type { IssuedTokens } from '../../auth/sessions.js'
import type { Parts } from '../../resources/feature.js'
import type { Parameters } from '../parameters.js'

/** A token request from an authenticated app. */
export interface TokenRequest {
  readonly parts: Parts
  readonly client: Client
  readonly parameters: Parameters
  /** The requested scope. */
  readonly scope: string
  readonly ip: string
  readonly user_agent: string | undefined
}

/** An OAuth grant. */
export interface Grant {
  readonly name: string
  readonly run: (asking: TokenRequest) => Promise<IssuedTokens>
}

/** The origin of a session, as far as the request shows it. */
export const sessionOrigin = ({ client, scope, ip, user_agent }: TokenRequest) => ({
  site_id: client.site_id,
  app_id: client.app_id,
  scope,
  ip,
  user_agent,
})
