import { type CallerKind, type CredentialKind, callerKinds, type Role, roles } from './caller-kinds.js'
import type { ActionOutline, Operation, Outline, Resource } from './resource.js'

const reads: readonly Operation[] = ['list', 'get']

const isRole = (kind: CallerKind): kind is Role => Object.hasOwn(roles, kind)

/** May a caller of this kind do this? Denied unless the definition says otherwise. */
export function allows(kind: CallerKind, resource: Resource, operation: string): boolean {
  if (kind === 'admin') return true
  if (isRole(kind)) return roleAllows(kind, resource, operation)
  const action = Object.hasOwn(resource.actions, operation) ? resource.actions[operation] : undefined
  if (action) return action.access[kind] === true
  const granted = resource.access[kind]
  return ((granted === 'read' ? reads : (granted ?? [])) as readonly string[]).includes(operation)
}

/** The same for those who sign in to the dashboard. */
export function roleAllows(role: Role, resource: Outline, operation: string): boolean {
  const action = Object.hasOwn(resource.actions, operation) ? resource.actions[operation] : undefined
  return (action?.roles ?? resource.roles).includes(role) && (role !== 'viewer' || isRead(action, operation))
}

const isRead = (action: ActionOutline | undefined, operation: string) =>
  action ? action.method === 'GET' : (reads as readonly string[]).includes(operation)

/** The kinds of credential that may do this. */
export function kindsAllowed(resource: Resource, operation: string): CredentialKind[] {
  return (Object.keys(callerKinds) as CredentialKind[]).filter((kind) => allows(kind, resource, operation))
}
