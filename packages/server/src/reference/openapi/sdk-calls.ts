import {
  type Action,
  actionPath,
  catalog,
  documentedPath,
  type Operation,
  operations,
  pathOf,
  type Resource,
} from '@zoetrope/contract'

/** The method of the SDK that makes a request. */
export interface SdkCall {
  /** `client.playlists.addVideos` */
  readonly method: string
  /** The names of the ids that it takes first. */
  readonly ids: readonly string[]
  /** What it takes then: fields of a record, or what a list is asked with. */
  readonly takes: 'fields' | 'query' | undefined
  /** The key of the fields in a body. */
  readonly wrapper: string
  readonly about: string
}

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const idsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const takenBy: Readonly<Record<Operation, SdkCall['takes']>> = {
  list: 'query',
  get: undefined,
  create: 'fields',
  update: 'fields',
  remove: undefined,
}

function takenByAction({ method, body, answers }: Action): SdkCall['takes'] {
  if (!body && answers !== 'list') return undefined
  return method === 'GET' ? 'query' : 'fields'
}

function callsOf([key, resource]: [string, Resource]): [string, SdkCall][] {
  const call = (verb: string, path: string, name: string, rest: Pick<SdkCall, 'takes' | 'about'>) => {
    const documented = documentedPath(resource, path)
    const method = `client.${key}.${camelCase(name)}`
    const made: SdkCall = { method, ids: idsIn(documented), wrapper: resource.name, ...rest }
    return [`${verb} ${documented}`, made] as [string, SdkCall]
  }
  return [
    ...resource.operations.map((name) => {
      const { method, about } = operations[name]
      const what = name === 'list' ? resource.plural : resource.name
      return call(method, pathOf(resource, name), name, {
        takes: takenBy[name],
        about: `${about} ${what.replaceAll('_', ' ')}`,
      })
    }),
    ...Object.entries(resource.actions).map(([name, action]) =>
      call(action.method, actionPath(resource, name), name, {
        takes: takenByAction(action),
        about: action.about.replace(/(?<=[.:;]) .*$/s, '').replace(/[.:;]$/, ''),
      }),
    ),
  ]
}

/** By verb and documented path. */
export const sdkCalls: ReadonlyMap<string, SdkCall> = new Map(
  Object.entries<Resource>(catalog).flatMap(callsOf),
)

/** The arguments as they are written in code: `id, fields`. */
export const sdkArguments = ({ ids, takes }: SdkCall): string =>
  [...ids, ...(takes ? [takes] : [])].map(camelCase).join(', ')
