import { catalog, type Resource } from '@zoetrope/contract'
import { mayDo } from '../../auth/access.js'
import type { Principal } from '../../auth/principals.js'

/** Tables that are no resource, and have events: the keys of the channel, its team, and their sign-ins. */
const unlisted = ['api_keys', 'invitations', 'memberships', 'publisher_sessions']

/** The tables whose events a caller may read: those of records that it may read. */
export function readableTables(principal: Principal): readonly string[] {
  const known = Object.values<Resource>(catalog).filter(({ derived }) => !derived)
  const open = known.filter((resource) =>
    mayDo(principal, resource, resource.operations.includes('list') ? 'list' : 'get'),
  )
  const tables = open.map(({ plural }) => plural)
  return principal.kind === 'admin' || principal.kind === 'owner' ? [...tables, ...unlisted] : tables
}
