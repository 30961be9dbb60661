import { type ActionOutline, catalog, type Outline, type Place } from '../../packages/contract/src/index.js'

/** What the SDK calls resources by. Their definitions come with the pages that show them. */
export const outlineOfCatalog = (): string =>
  `export const catalog = ${JSON.stringify(Object.fromEntries(Object.entries(catalog).map(([name, resource]) => [name, outlineOf(resource)])))}`

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
