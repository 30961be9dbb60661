import { type CallerKind, type CredentialKind, callerKinds } from './caller-kinds.js'
import type { Action, Operation, Resource } from './resource.js'

const reads: readonly Operation[] = ['list', 'get']

/** May a caller of this kind do this? Denied unless the definition says otherwise. */
export function allows(kind: CallerKind, resource: Resource, operation: string): boolean {
  if (kind === 'admin') return true
  const action = Object.hasOwn(resource.actions, operation) ? resource.actions[operation] : undefined
  if (kind === 'owner' || kind === 'editor' || kind === 'viewer')
    return (
      (action?.roles ?? resource.roles).includes(kind) && (kind !== 'viewer' || isRead(action, operation))
    )
  if (action) return action.access[kind] === true
  const granted = resource.access[kind]
  return ((granted === 'read' ? reads : (granted ?? [])) as readonly string[]).includes(operation)
}

const isRead = (action: Action | undefined, operation: string) =>
  action ? action.method === 'GET' : (reads as readonly string[]).includes(operation)

/** The kinds of credential that may do this. */
export function kindsAllowed(resource: Resource, operation: string): CredentialKind[] {
  return (Object.keys(callerKinds) as CredentialKind[]).filter((kind) => allows(kind, resource, operation))
}
