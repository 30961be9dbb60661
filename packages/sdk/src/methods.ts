import {
  type ActionOutline,
  actionPath,
  limits,
  type Operation,
  type Outline,
  operations,
  pathOf,
} from '@zoetrope/contract'
import type { Answer } from './answer.js'
import type { CallOptions } from './client.js'
import type { Request, Send } from './transport.js'

type Values = Readonly<Record<string, unknown>>
type Method = (...args: never[]) => unknown

/** The methods of one resource, on the erased type; `Client` says what they are for each resource. */
export function methodsOf(resource: Outline, send: Send): Record<string, Method> {
  const standard = standardMethods(resource, send)
  const methods: [string, Method][] = resource.operations.map((name) => [name, standard[name]])
  if (resource.operations.includes('list')) methods.push(['all', allMethod(resource, send)])
  for (const [name, action] of Object.entries(resource.actions))
    methods.push([camelCase(name), actionMethod(resource, name, action, send)])
  return Object.fromEntries(methods)
}

function standardMethods(resource: Outline, send: Send): Record<Operation, Method> {
  const on = <Rest extends unknown[]>(
    operation: Operation,
    run: (place: Pick<Request, 'method' | 'path'>, ...rest: Rest) => Promise<unknown>,
  ) =>
    at(pathOf(resource, operation), (path, ...rest: Rest) =>
      run({ method: operations[operation].method, path }, ...rest),
    )
  const write = async (place: Pick<Request, 'method' | 'path'>, fields: Values, options?: CallOptions) =>
    recordOf(send, { ...place, ...writeOptions(options), body: { [resource.name]: fields } })

  return {
    list: on('list', async (place, query?: Values, options?: CallOptions) =>
      send({ ...place, query, signal: options?.signal }),
    ),
    get: on('get', async (place, options?: CallOptions) =>
      recordOf(send, { ...place, query: options?.query, signal: options?.signal, onEtag: options?.onEtag }),
    ),
    create: on('create', write),
    update: on('update', write),
    remove: on('remove', async (place, options?: CallOptions) => {
      await send({ ...place, ...writeOptions(options) })
    }),
  }
}

function allMethod(resource: Outline, send: Send): Method {
  const path = pathOf(resource, 'list')
  const ids = idsIn(path)
  return (...args: unknown[]) => {
    const [query, options] = args.slice(ids) as [Values?, CallOptions?]
    const place = { method: operations.list.method, signal: options?.signal }
    return walkPages(
      async (page) => send({ ...place, path: withIds(path, args.slice(0, ids)), query: page }),
      query,
    )
  }
}

function actionMethod(resource: Outline, name: string, action: ActionOutline, send: Send): Method {
  const call = async (path: string, fields?: Values, options?: CallOptions) => {
    const request: Request = {
      method: action.method,
      path,
      ...(action.method === 'GET'
        ? { query: fields, signal: options?.signal }
        : { ...writeOptions(options), body: fields && { [resource.name]: fields } }),
    }
    if (action.answers === 'list') return send(request)
    if (action.answers === 'tree') return forestOf(send, request, action.of?.plural ?? resource.plural)
    if (action.answers === 'file') return recordOf(send, { ...request, expects: 'text' })
    if (action.answers !== 'message') return recordOf(send, request)
    await send({ ...request, expects: 'message' })
  }
  const path = actionPath(resource, name)
  if (action.body || action.answers === 'list') return at(path, call)
  return at(path, (placed, options?: CallOptions) => call(placed, undefined, options))
}

/** Every write has a key, so that it can be repeated when its answer is lost. */
const writeOptions = (options: CallOptions = {}) => ({
  query: options.query,
  signal: options.signal,
  idempotencyKey: options.idempotencyKey ?? randomKey(),
  ifMatch: options.ifMatch,
  onEvents: options.onEvents,
})

/** `crypto.randomUUID` exists on secure pages only. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** A method that takes the ids its path names, in their order, before everything else. */
function at<Rest extends unknown[]>(
  path: string,
  run: (path: string, ...rest: Rest) => Promise<unknown>,
): Method {
  const ids = idsIn(path)
  return async (...args: unknown[]) =>
    run(withIds(path, args.slice(0, ids)), ...(args.slice(ids) as unknown as Rest))
}

async function forestOf(send: Send, request: Request, plural: string): Promise<unknown> {
  const answer = await send({ ...request, expects: plural })
  return (answer as Values | undefined)?.[plural]
}

async function recordOf(send: Send, request: Request): Promise<unknown> {
  return (await send(request))?.response
}

const placeholder = /:\w+/g

const idsIn = (path: string): number => path.match(placeholder)?.length ?? 0

function withIds(path: string, ids: readonly unknown[]): string {
  const given = ids.values()
  return path.replace(placeholder, () => {
    const id = String(given.next().value ?? '')
    // These would vanish from the URL and turn a request for one record into one for the list.
    if (/^\.{0,2}$/.test(id)) throw new TypeError(`'${id}' is not an id.`)
    return encodeURIComponent(id)
  })
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

type Query = Readonly<Record<string, unknown>>

/** Uses cursors, not page numbers, so that rows added or removed meanwhile shift nothing. */
async function* walkPages(
  list: (query: Query) => Promise<Answer | undefined>,
  query?: Query,
): AsyncGenerator<unknown, void, undefined> {
  let cursor: string | null | undefined
  do {
    const page = await list({ per_page: limits.per_page.value, ...query, cursor })
    yield* page?.response as unknown[]
    cursor = page?.pagination?.next_cursor
  } while (cursor)
}
