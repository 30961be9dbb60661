import { scopeFor } from './callers.js'
import { catalog } from './catalog.js'
import type { Resource } from './resource.js'

/** Every scope that a named key can have. The first two cover all resources, also those that are added later. */
export function keyScopes(): readonly string[] {
  const each = Object.values<Resource>(catalog).flatMap((resource) =>
    [...resource.operations, ...Object.keys(resource.actions)].map((operation) =>
      scopeFor(resource, operation),
    ),
  )
  return [...new Set(['*:read', '*:write', ...each.filter((scope) => scope !== undefined)])]
}
