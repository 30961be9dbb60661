import {
  aboutCaller,
  allows,
  catalog,
  coversScope,
  hidingField,
  publishes,
  type Resource,
  scopeFor,
} from '@zoetrope/contract'
import { ApiError, challenge, forbidden } from '../errors.js'
import type { Principal } from './principals.js'

/** Whether this caller may do this: its kind, and the scope of its token or key. */
export const mayDo = (principal: Principal, resource: Resource, operation: string): boolean =>
  allows(principal.kind, resource, operation) &&
  inScope(principal, resource) &&
  holdsScope(principal, resource, operation)

/** Whether a named key has the scope that this needs. Other callers need none. */
function holdsScope({ kind, scope }: Principal, resource: Resource, operation: string): boolean {
  if (kind !== 'named') return true
  const needed = scopeFor(resource, operation)
  return needed !== undefined && coversScope(scope.split(' '), needed)
}

/** A token with a narrower scope reads the catalogue, but none of its consumer's own data. */
export function inScope({ kind, scope }: Principal, resource: Resource): boolean {
  const personal = resource.personal || resource.within?.personal
  return kind !== 'consumer' || !personal || scope.split(' ').includes('consumer')
}

/** The consumer whose entitlements apply; empty for a token that covers only the catalogue. */
export const watcherOf = (principal: Principal): string =>
  inScope(principal, catalog.consumers) ? (principal.consumerId ?? '') : ''

/** Why this caller may not do this, and what it may do instead. */
export function notAllowed(principal: Principal, resource: Resource, operation: string): ApiError {
  if (!inScope(principal, resource))
    return new ApiError(
      403,
      `This access token has the scope "${principal.scope}". What belongs to the consumer needs the scope "consumer".`,
      { headers: { 'WWW-Authenticate': `${challenge('insufficient_scope')}, scope="consumer"` } },
    )
  const needed = principal.kind === 'named' ? scopeFor(resource, operation) : undefined
  if (needed) return forbidden(`This key needs the scope ${needed} for this request.`)
  return forbidden(`This credential may not ${operation} ${resource.path}. ${aboutCaller(principal.kind)}`)
}

/** Only the publisher sees unpublished records. */
export function seesHidden(principal: Principal, resource: Resource): boolean {
  return publishes(principal.kind) || hidingField(resource) === undefined
}
