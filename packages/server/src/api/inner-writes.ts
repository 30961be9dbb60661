import { mayDo } from '../auth/access.js'
import type { Db } from '../db/database.js'
import { ApiError, invalid } from '../errors.js'
import type { InnerOutcome, InnerWrite, Parts } from '../resources/feature.js'
import { nestForm, queryOf } from './brackets.js'
import type { Verb } from './endpoints.js'
import { explain } from './error-handler.js'
import type { Exchange, FindEvents, Route, RouteTable } from './exchange.js'
import { boundParts, type Effect } from './one-transaction.js'
import { accessError, findTarget, type PathTarget } from './path-target.js'

export function createRouteTable(findEvents: FindEvents = async () => []): RouteTable {
  const routes: { pattern: RegExp; parameters: readonly string[]; route: Route }[] = []
  return {
    findEvents,
    add(path, route) {
      const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      routes.push({ pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`), parameters, route })
      // A path without parameters is the better match.
      routes.sort((a, b) => a.parameters.length - b.parameters.length)
    },
    find(path) {
      for (const { pattern, parameters, route } of routes) {
        const match = pattern.exec(path)
        if (match)
          return {
            route,
            params: Object.fromEntries(parameters.map((name, index) => [name, match[index + 1] ?? ''])),
          }
      }
      return undefined
    },
  }
}

type RunInner = (exchange: Exchange, target: PathTarget) => Promise<unknown>

/**
 * Performs other writes of the same caller within the transaction of a request. A write that the caller can mend changes
 * nothing, and its error is its outcome; other errors end the whole request, and so does one that asks for confirmation.
 */
export function innerWrites(exchange: Exchange, run: RunInner): (write: InnerWrite) => Promise<InnerOutcome> {
  let step = 0
  return (write: InnerWrite): Promise<InnerOutcome> => {
    step += 1
    return performInner(exchange, run, write, step)
  }
}

async function performInner(
  exchange: Exchange,
  run: RunInner,
  write: InnerWrite,
  step: number,
): Promise<InnerOutcome> {
  const { parts, request } = exchange
  try {
    const inner = innerExchange(exchange, write)
    const id = await inSavepoint(parts, async (bound) => {
      await beginStep(bound.database.db, step)
      const within = { ...inner, parts: bound }
      if (!mayDo(inner.principal, inner.resource, inner.endpoint.name)) throw await accessError(within)
      const target = await findTarget(within)
      await run(within, target)
      return target.id
    })
    return { status: inner.endpoint.success, resource: inner.resource, id }
  } catch (error) {
    const known = explain(error as Error, request)
    if (!known || known.status >= 500 || known.code === 'confirm_required') throw error
    return { status: known.status, resource: exchange.resource, id: '', error: known }
  }
}

/** What earlier writes of the transaction have set does not hold for this one. */
async function beginStep(tx: Db, step: number): Promise<void> {
  await tx`
    select set_config('zoetrope.step', ${String(step)}, true), set_config('zoetrope.keeps_deleted', '', true)
  `
}

/** Runs in a savepoint. What must wait for the commit is forgotten if it fails. */
async function inSavepoint<T>(parts: Parts, work: (bound: Parts) => Promise<T>): Promise<T> {
  const effects: Effect[] = []
  const result = await parts.database.transaction((tx) => work(boundParts(parts, tx, effects)))
  for (const effect of effects) parts.afterCommit?.(effect)
  return result
}

function innerExchange(exchange: Exchange, { method, path, body }: InnerWrite): Exchange {
  const { request, reply, presented, principal, routes } = exchange
  const [place = '', query = ''] = path.split('?', 2)
  const found = routes.find(place.replace(/\/$|\.(json|xml)$/, ''))
  if (!found || found.route.resource === exchange.resource)
    throw new ApiError(404, `There is nothing to write at ${place}.`)
  const endpoint = found.route.endpoints.get(method as Verb)
  if (!endpoint || method === 'GET') throw new ApiError(405, `${method} is not possible at ${place}.`)
  const queryTree = nestForm(query)
  // What is true of the whole is true of each write.
  queryTree.strict ??= queryOf(request).strict
  if ('dry_run' in queryTree || 'dry_run' in body)
    throw invalid('dry_run is for the whole batch: send it beside requests.')
  if (endpoint.hasSecret && method === 'POST')
    throw invalid('The answer may have a secret, which a batch does not show. Send this request by itself.')
  return {
    ...found.route,
    reply,
    presented,
    principal,
    endpoint,
    fields: { tree: body, written: 'json' },
    // The same request in all other respects: its headers, address and id.
    request: Object.create(request, {
      method: { value: method },
      url: { value: path },
      params: { value: decoded(found.params) },
      queryTree: { value: queryTree, writable: true },
    }),
  }
}

function decoded(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
  } catch {
    throw invalid('The path has a percent sign that is no code of a character.')
  }
}
