import { filtersByName, perResource, searchFields } from './parameters.js'
import type { Resource } from './resource.js'

/** Parameters that every request may have: credentials, and how it is to be treated. */
const ofEveryRequest = [
  ...['api_key', 'app_key', 'access_token', 'upload_token', 'player_key', 'channel_id'],
  ...['strict', 'notices', 'dry_run'],
]

/** What programs send with every request, to get around caches or because their form library does. */
const harmless = new Set(['cb', 'ts', 'timestamp', 'nocache', 'utf8', 'commit', 'authenticity_token'])

/** Whether nobody needs to know that a parameter is ignored. Names with an underscore in front are for other machines. */
export const isHarmless = (name: string): boolean => name.startsWith('_') || harmless.has(name)

const ofEveryList = ['page', 'per_page', 'cursor', 'sort', 'order', 'response_fields']

const listNames = (resource: Resource): readonly string[] => [
  ...ofEveryList,
  ...(searchFields(resource).length > 0 ? ['q'] : []),
  ...Object.keys({ ...resource.readOptions, ...resource.listOptions, ...resource.wideSearch }),
  ...filtersByName(resource).keys(),
]

function namesOf(resource: Resource, operation: string): readonly string[] {
  const { readOptions, memberOptions, actions } = resource
  const action = Object.hasOwn(actions, operation) ? actions[operation] : undefined
  if (action) {
    const listed = action.answers === 'list' ? action.of : undefined
    return [
      ...Object.keys(action.body ?? {}),
      ...Object.keys(memberOptions),
      ...(listed ? listNames({ ...noOptions, ...listed } as Resource) : []),
    ]
  }
  if (operation === 'list') return listNames(resource)
  if (operation === 'create') return Object.keys(memberOptions)
  // A change with If-Match has the parameters with which the record was read.
  return ['response_fields', ...Object.keys({ ...readOptions, ...memberOptions })]
}

const noOptions = { readOptions: {}, listOptions: {}, wideSearch: {} }

const knownNames = perResource(() => new Map<string, ReadonlySet<string>>())

/** The parameters that a request may have in its query string, besides the fields of a body. */
export function queryNames(resource: Resource, operation: string): ReadonlySet<string> {
  const known = knownNames(resource)
  const names = known.get(operation) ?? new Set([...ofEveryRequest, ...namesOf(resource, operation)])
  known.set(operation, names)
  return names
}
