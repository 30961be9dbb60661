import { type Catalog, catalog } from './catalog.js'
import type { ActionOutline, Outline, Place } from './resource.js'

const placeOf = ({ path, within }: Place): Place => ({ path, within: within && placeOf(within) })

const actionOutline = ({ method, path, on, roles, answers, of, body }: ActionOutline): ActionOutline => ({
  method,
  path,
  on,
  roles,
  answers,
  of: of && { plural: of.plural },
  body: body && {},
})

const outlineOf = ({ name, plural, path, operations, roles, single, within, actions }: Outline): Outline => ({
  name,
  plural,
  path,
  operations,
  roles,
  single,
  within: within && placeOf(within),
  actions: Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, actionOutline(action)])),
})

/**
 * The catalog without the fields of its records: enough to call every operation and to know which roles may. It is plain
 * data, so a bundler can compute it at build time and leave the definitions out.
 */
export const outline = Object.fromEntries(
  Object.entries(catalog).map(([name, resource]) => [name, outlineOf(resource)]),
) as Readonly<Record<keyof Catalog, Outline>>
