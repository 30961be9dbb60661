import { fileFields, type Resource } from '@zoetrope/contract'
import type { FastifyInstance } from 'fastify'
import type { Feature, Parts } from '../resources/feature.js'
import type { KeptAnswers } from './answers.js'
import { endpointsOf, verbs } from './endpoints.js'
import type { Route, RouteTable } from './exchange.js'
import { createRouteTable } from './inner-writes.js'
import { createKeyRates } from './key-rates.js'
import { isCurrent, keyOf, sendReply } from './reply.js'
import { createHandler, type Handler } from './steps.js'

/** Adds the routes of one resource. */
export function addResource(
  app: FastifyInstance,
  parts: Parts,
  answers: KeptAnswers,
  resource: Resource,
  feature: Feature,
  routes: RouteTable = createRouteTable(),
): void {
  for (const [path, endpoints] of endpointsOf(resource, feature)) {
    const route = { parts, answers, resource, endpoints, routes }
    routes.add(path, route)
    addPath(app, path, route)
  }
}

/** Handles requests to one path of a resource, for a route that has read the body itself. */
export const pathHandler = (
  parts: Parts,
  answers: KeptAnswers,
  resource: Resource,
  feature: Feature,
  routes: RouteTable,
  path: string,
): Handler =>
  createHandler({
    parts,
    answers,
    resource,
    endpoints: endpointsOf(resource, feature).get(path) ?? new Map(),
    routes,
  })

/** One route takes all verbs of a path, because `_method` in the body of a POST can replace the verb. */
function addPath(app: FastifyInstance, path: string, route: Route): void {
  const { parts, answers, resource, endpoints } = route
  // The answer with one record is never kept.
  const isList = endpoints.get('GET')?.name !== 'get'
  app.route({
    method: [...verbs, 'PATCH'],
    url: path,
    config: { files: fileFields(resource) },
    onRequest: (request, reply, done) => {
      const kept = isList && request.method === 'GET' ? answers.get(keyOf(request)) : undefined
      if (!kept || !isCurrent(parts, kept, request)) return done()
      request.caller = kept.principal
      const refused = parts.cache(createKeyRates)(kept.principal, reply)
      if (refused) return done(refused)
      sendReply(request, reply, kept)
    },
    handler: createHandler(route),
  })
}
