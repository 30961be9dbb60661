import { type CallerKind, type CredentialKind, callerKinds, type Role, roles } from './caller-kinds.js'
import { ancestorsOf, isReadOperation } from './operations.js'
import type { Outline, Resource } from './resource.js'

const reads = ['list', 'get']

const isRole = (kind: CallerKind): kind is Role => Object.hasOwn(roles, kind)

/**
 * May a caller of this kind do this? Denied unless the definition says otherwise. A named key also needs the scope, and an
 * access token may have too narrow a scope.
 */
export function allows(kind: CallerKind, resource: Resource, operation: string): boolean {
  if (kind === 'admin') return true
  if (kind === 'named') return scopeFor(resource, operation) !== undefined
  if (isRole(kind)) return roleAllows(kind, resource, operation)
  const action = Object.hasOwn(resource.actions, operation) ? resource.actions[operation] : undefined
  if (action) return action.access[kind] === true
  const granted = resource.access[kind]
  return ((granted === 'read' ? reads : (granted ?? [])) as readonly string[]).includes(operation)
}

/** The same for those who sign in to the dashboard. */
export function roleAllows(role: Role, resource: Outline, operation: string): boolean {
  const action = Object.hasOwn(resource.actions, operation) ? resource.actions[operation] : undefined
  return (
    (action?.roles ?? resource.roles).includes(role) &&
    (role !== 'viewer' || isReadOperation(resource, operation))
  )
}

/**
 * Whether somebody in the dashboard needs to have given the password recently for this. The fields of an update decide;
 * switching something off never needs it.
 */
export function needsConfirmation(
  { actions, confirmed, credential }: Resource,
  operation: string,
  body: Readonly<Record<string, unknown>> = {},
): boolean {
  if (Object.hasOwn(actions, operation)) return actions[operation]?.confirmed === true
  if (operation === 'create' && (credential || confirmed.create === true)) return true
  return confirmedFields({ confirmed }, operation).some(
    (name) => body[name] !== undefined && body[name] !== false,
  )
}

/** The fields that need confirmation in a request that needs none without them. */
export function confirmedFields(
  { confirmed }: Pick<Resource, 'confirmed'>,
  operation: string,
): readonly string[] {
  const fields = operation === 'create' || operation === 'update' ? confirmed[operation] : undefined
  return fields === true || fields === undefined ? [] : fields
}

/** The kinds of credential that may do this. */
export function kindsAllowed(resource: Resource, operation: string): CredentialKind[] {
  return (Object.keys(callerKinds) as CredentialKind[]).filter((kind) => allows(kind, resource, operation))
}

/**
 * The scope that a named key needs for this, such as `videos:read`; undefined if no named key may do it. Records inside
 * others belong to the outermost resource: subtitles need a scope of videos.
 */
export function scopeFor(resource: Resource, operation: string): string | undefined {
  const isKnown =
    (resource.operations as readonly string[]).includes(operation) ||
    Object.hasOwn(resource.actions, operation)
  if (!isKnown) return undefined
  const path = [resource, ...ancestorsOf(resource)]
  const limits = path.map(({ namedKeys }) => namedKeys)
  const needs = limits.includes('write') || !isReadOperation(resource, operation) ? 'write' : 'read'
  if (limits.includes('never') || (limits.includes('read') && needs === 'write')) return undefined
  const { name, plural, single } = path.at(-1) ?? resource
  return `${single ? name : plural}:${needs}`
}

/** Whether the scopes of a named key cover the scope that a request needs. */
export const coversScope = (granted: readonly string[], needed: string): boolean =>
  granted.includes(needed) || granted.includes(`*:${needed.split(':')[1]}`)
