import {
  type CallerKind,
  catalog,
  type Resource,
  type Role,
  roleAllows,
  roles,
  scopeFor,
} from '@zoetrope/contract'

/** Tables that are no resource, and have events: the keys of the channel, its team, and their sign-ins. */
const unlisted = ['api_keys', 'memberships', 'publisher_sessions']

const isRole = (kind: CallerKind): kind is Role => Object.hasOwn(roles, kind)

/**
 * The tables whose events a caller may read: those of records that it could read. A named key with the scope for events
 * reads what scopes for reading can give at all: never keys, people, the account, or records that are credentials.
 */
export function readableTables(kind: CallerKind): readonly string[] {
  const known = Object.values<Resource>(catalog).filter(({ derived }) => !derived)
  const open = known.filter((resource) => {
    const operation = resource.operations.includes('list') ? 'list' : 'get'
    if (isRole(kind)) return roleAllows(kind, resource, operation)
    return kind === 'admin' || (scopeFor(resource, operation)?.endsWith(':read') ?? false)
  })
  const tables = open.map(({ plural }) => plural)
  return kind === 'admin' || kind === 'owner' ? [...tables, ...unlisted] : tables
}
