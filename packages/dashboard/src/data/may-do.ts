import { type Catalog, type Duty, duties, type Role, roleAllows } from '@zoetrope/contract'
import { resources } from './resources.js'

/** Something that not every role may do: a duty, or an operation of a resource. */
export type Need = Duty | readonly [keyof Catalog, string]

/** Whether the contract lets a role do this, so that what the server would refuse is not offered. */
export function mayDo(role: Role, need: Need): boolean {
  if (typeof need === 'string') return (duties[need] as readonly Role[]).includes(role)
  const [name, operation] = need
  const resource = resources[name]
  const isThere =
    operation in resource.actions || (resource.operations as readonly string[]).includes(operation)
  return isThere && roleAllows(role, resource, operation)
}
