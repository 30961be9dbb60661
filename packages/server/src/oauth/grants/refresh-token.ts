import { renewSession } from '../../auth/sessions.js'
import { invalidGrant, OAuthError } from '../oauth-error.js'
import { required } from '../parameters.js'
import type { Grant } from './grant.js'

/** The specification, 4.3; RFC 6749 §6. */
export const refreshTokenGrant: Grant = {
  name: 'refresh_token',
  async run({ parts, client, parameters, scope, ip, user_agent }) {
    const refreshToken = required(parameters, 'refresh_token')
    const renewed = await renewSession(parts.database, parts.sealer, parts.lifetimes, {
      site_id: client.site_id,
      app_id: client.app_id,
      refreshToken,
      scope: parameters.scope === undefined ? undefined : scope,
      ip,
      user_agent,
    })
    if (renewed === 'too wide')
      throw new OAuthError('invalid_scope', 'The scope is wider than the one that was granted.')
    // The old access token ends here at once; other processes notice within a second.
    if (renewed) parts.principals.forget(({ sessionId }) => sessionId === renewed._id)
    if (!renewed?.tokens)
      throw invalidGrant(
        'The refresh token is not valid: it is unknown, was used before, has expired or was revoked.',
      )
    return renewed.tokens
  },
}
