import {
  type Action,
  actionPath,
  type Operation,
  operations,
  pathOf,
  type Resource,
} from '@zoetrope/contract'
import type { CallOptions } from './client.js'
import { walkPages } from './pages.js'
import type { Request, Send } from './transport.js'

type Values = Readonly<Record<string, unknown>>
type Method = (...args: never[]) => unknown

/** The methods of one resource, on the erased type; `Client` says what they are for each resource. */
export function methodsOf(resource: Resource, send: Send): Record<string, Method> {
  const standard = standardMethods(resource, send)
  const methods: [string, Method][] = resource.operations.map((name) => [name, standard[name]])
  if (resource.operations.includes('list')) methods.push(['all', standard.all])
  for (const [name, action] of Object.entries(resource.actions))
    methods.push([camelCase(name), actionMethod(resource, name, action, send)])
  return Object.fromEntries(methods)
}

function standardMethods(resource: Resource, send: Send): Record<Operation | 'all', Method> {
  const on = (operation: Operation, id = '') => ({
    method: operations[operation].method,
    path: withId(pathOf(resource, operation), id),
  })
  const list = async (query?: Values, options?: CallOptions) =>
    send({ ...on('list'), query, signal: options?.signal })

  return {
    list,
    all: (query?: Values, options?: CallOptions) => walkPages((page) => list(page, options), query),
    get: member(resource, async (id, options?: CallOptions) =>
      recordOf(send, { ...on('get', id), signal: options?.signal }),
    ),
    create: async (fields: Values, options?: CallOptions) =>
      recordOf(send, { ...on('create'), body: { [resource.name]: fields }, signal: options?.signal }),
    update: member(resource, async (id, fields: Values, options?: CallOptions) =>
      recordOf(send, { ...on('update', id), body: { [resource.name]: fields }, signal: options?.signal }),
    ),
    remove: member(resource, async (id, options?: CallOptions) => {
      await send({ ...on('remove', id), signal: options?.signal })
    }),
  }
}

function actionMethod(resource: Resource, name: string, action: Action, send: Send): Method {
  const call = async (id: string, fields?: Values, options?: CallOptions) =>
    recordOf(send, {
      method: action.method,
      path: withId(actionPath(resource, name), id),
      ...(action.method === 'GET' ? { query: fields } : { body: fields && { [resource.name]: fields } }),
      signal: options?.signal,
    })
  if (action.body) return member(resource, call)
  return member(resource, (id, options?: CallOptions) => call(id, undefined, options))
}

/** A single resource has no ids, so its methods do not take one. */
function member<Rest extends unknown[]>(
  resource: Resource,
  run: (id: string, ...rest: Rest) => unknown,
): Method {
  return resource.single ? (...rest: Rest) => run('', ...rest) : run
}

async function recordOf(send: Send, request: Request): Promise<unknown> {
  return (await send(request))?.response
}

function withId(path: string, id: string): string {
  return path.replace(':id', () => {
    // These would vanish from the address and turn a request for one record into one for the list.
    if (/^\.{0,2}$/.test(id)) throw new TypeError(`'${id}' is not an id.`)
    return encodeURIComponent(id)
  })
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
