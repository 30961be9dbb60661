import { callerKinds, hidingField, type Resource } from '@zoetrope/contract'
import { type ApiError, forbidden } from '../errors.js'
import type { Principal } from './principals.js'

/** Why this caller may not do this: what it may do instead. */
export function notAllowed(principal: Principal, resource: Resource, operation: string): ApiError {
  return forbidden(
    `This credential may not ${operation} ${resource.path}. ${callerKinds[principal.kind].about}`,
  )
}

/** Everyone but the admin key sees published records only. */
export function seesHidden(principal: Principal, resource: Resource): boolean {
  return principal.kind === 'admin' || hidingField(resource) === undefined
}
