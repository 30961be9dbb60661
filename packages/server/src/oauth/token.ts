import { readScope } from '../auth/scopes.js'
import { grants } from './grants/index.js'
import { OAuthError } from './oauth-error.js'
import { required } from './parameters.js'
import { settled, type TokenStep } from './steps.js'

export const chooseGrant: TokenStep = ({ parameters }) => {
  const name = required(parameters, 'grant_type')
  const grant = grants.find((each) => each.name === name)
  if (!grant)
    throw new OAuthError(
      'unsupported_grant_type',
      `The grant_type must be one of ${grants.map((each) => each.name).join(', ')}.`,
    )
  return { grant }
}

export const checkScope: TokenStep = ({ parameters }) => {
  const scope = readScope(parameters.scope)
  if (scope === undefined)
    throw new OAuthError('invalid_scope', 'The scope must be "consumer" or "public", or absent.')
  return { scope }
}

export const runGrant: TokenStep = async ({ parts, request, parameters, client, grant, scope }) => ({
  answer: await settled(grant).run({
    parts,
    parameters,
    client: settled(client),
    scope: settled(scope),
    ip: request.ip,
    user_agent: request.headers['user-agent'],
  }),
})
