import { type Catalog, type Duty, duties, type Role, roleAllows } from '@zoetrope/contract'
import { outline } from '@zoetrope/contract/outline'

/** An action that not every role may perform: a duty, or an operation of a resource. */
export type Need = Duty | readonly [keyof Catalog, string]

/** Whether the contract allows the role to do this. The dashboard hides what the server would refuse. */
export function mayDo(role: Role, need: Need): boolean {
  if (typeof need === 'string') return (duties[need] as readonly Role[]).includes(role)
  const [name, operation] = need
  const resource = outline[name]
  const isThere =
    operation in resource.actions || (resource.operations as readonly string[]).includes(operation)
  return isThere && roleAllows(role, resource, operation)
}
