import { type CallerKind, callerKinds } from './caller-kinds.js'
import type { Operation, Resource } from './resource.js'

const reads: readonly Operation[] = ['list', 'get']

/** May a caller of this kind do this? Denied unless the definition says otherwise. */
export function allows(kind: CallerKind, resource: Resource, operation: string): boolean {
  if (kind === 'admin') return true
  const action = Object.hasOwn(resource.actions, operation) ? resource.actions[operation] : undefined
  if (action) return action.access[kind] === true
  const granted = resource.access[kind]
  return ((granted === 'read' ? reads : (granted ?? [])) as readonly string[]).includes(operation)
}

export function kindsAllowed(resource: Resource, operation: string): CallerKind[] {
  return (Object.keys(callerKinds) as CallerKind[]).filter((kind) => allows(kind, resource, operation))
}
