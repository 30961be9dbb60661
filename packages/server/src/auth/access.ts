import { aboutCaller, catalog, hidingField, publishes, type Resource } from '@zoetrope/contract'
import { ApiError, challenge, forbidden } from '../errors.js'
import type { Principal } from './principals.js'

/** A token issued for less than everything reads the catalogue and nothing of its consumer's own. */
export function inScope({ kind, scope }: Principal, resource: Resource): boolean {
  const personal = resource.personal || resource.within?.personal
  return kind !== 'consumer' || !personal || scope.split(' ').includes('consumer')
}

/** Whose rights to watch a caller has; nobody's for a token that was issued for the catalogue only. */
export const watcherOf = (principal: Principal): string =>
  inScope(principal, catalog.consumers) ? (principal.consumerId ?? '') : ''

/** Why this caller may not do this: what it may do instead. */
export function notAllowed(principal: Principal, resource: Resource, operation: string): ApiError {
  if (!inScope(principal, resource))
    return new ApiError(
      403,
      `This access token has the scope "${principal.scope}". What belongs to the consumer needs the scope "consumer".`,
      { headers: { 'WWW-Authenticate': `${challenge('insufficient_scope')}, scope="consumer"` } },
    )
  return forbidden(`This credential may not ${operation} ${resource.path}. ${aboutCaller(principal.kind)}`)
}

/** Everyone but the publisher sees published records only. */
export function seesHidden(principal: Principal, resource: Resource): boolean {
  return publishes(principal.kind) || hidingField(resource) === undefined
}
