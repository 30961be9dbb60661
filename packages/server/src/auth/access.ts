import { allows, callerKinds, hidingField, type Resource } from '@zoetrope/contract'
import { forbidden } from '../errors.js'
import type { Principal } from './principals.js'

/** Refuses whatever the definition does not allow this caller, saying what the caller may do. */
export function requireAccess(principal: Principal, resource: Resource, operation: string): void {
  if (allows(principal.kind, resource, operation)) return
  throw forbidden(
    `This credential may not ${operation} ${resource.plural}. ${callerKinds[principal.kind].about}`,
  )
}

/** Everyone but the admin key sees published records only. */
export function seesHidden(principal: Principal, resource: Resource): boolean {
  return principal.kind === 'admin' || hidingField(resource) === undefined
}
