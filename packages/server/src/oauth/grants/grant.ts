import type { Client } from '../../auth/clients.js'
import type { Tokens } from '../../auth/sessions.js'
import type { Parts } from '../../resources/feature.js'
import type { Parameters } from '../parameters.js'

/** A request for tokens from an app that is known. */
export interface Asking {
  readonly parts: Parts
  readonly client: Client
  readonly parameters: Parameters
  /** The scope asked for. */
  readonly scope: string
  readonly ip: string
  readonly user_agent: string | undefined
}

/** One way to get tokens. */
export interface Grant {
  readonly name: string
  readonly run: (asking: Asking) => Promise<Tokens>
}

/** Where a session comes from, as far as the request says it. */
export const origin = ({ client, scope, ip, user_agent }: Asking) => ({
  site_id: client.site_id,
  app_id: client.app_id,
  scope,
  ip,
  user_agent,
})
