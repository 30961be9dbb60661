import { allows, fileFields, hidingField, publishes, type Resource } from '@zoetrope/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mayDo } from '../auth/access.js'
import { actorOf } from '../auth/actor.js'
import type { Principal } from '../auth/principals.js'
import { actingAs } from '../db/acting-as.js'
import { originOf } from '../edge/origin.js'
import { ApiError, interrupted, unavailable } from '../errors.js'
import { whileAlive } from '../lib/while-alive.js'
import { createEventHints } from '../lists/event-hints.js'
import type { Answer, Call, Feature, FileAnswer, Parts } from '../resources/feature.js'
import type { KeptAnswer, KeptAnswers } from './answers.js'
import { type Fields, fieldsOf } from './body.js'
import { queryOf } from './brackets.js'
import { identifyPresented, type Presented, presentedBy } from './credential.js'
import { type Endpoint, type Endpoints, endpointsOf, type Verb, verbs } from './endpoints.js'
import type { Exchange, Route, RouteTable } from './exchange.js'
import { createRouteTable, innerWrites } from './inner-writes.js'
import { readInput, withoutRestricted } from './input.js'
import { verbNotOffered } from './not-offered.js'
import { performOnce, type WrittenAnswer } from './one-transaction.js'
import { accessError, findTarget, type PathTarget } from './path-target.js'
import {
  currentReply,
  isCurrent,
  keptReply,
  keyOf,
  prepareReply,
  sendFile,
  sendReply,
  sendWritten,
  written,
} from './reply.js'

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
  const { parts, answers, resource } = route
  app.route({
    method: [...verbs, 'PATCH'],
    url: path,
    config: { files: fileFields(resource) },
    onRequest: (request, reply, done) => {
      const kept = request.method === 'GET' ? answers.get(keyOf(request)) : undefined
      if (!kept || !isCurrent(parts, kept, request)) return done()
      request.caller = kept.principal
      sendReply(request, reply, kept)
    },
    handler: createHandler(route),
  })
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The steps of a request until its caller may make it. Each returns what later steps need, or throws the status beside it. */
const createHandler =
  (route: Route): Handler =>
  async (request, reply) => {
    const fields = fieldsOf(request)
    const endpoint = chooseEndpoint(route, request, fields) // 405
    const presented = presentedBy(request, fields.tree) // 401, 422
    const principal = await identifyCaller(route, endpoint, presented) // 401, 422
    request.caller = principal
    // What is new stands before what is copied: after it, each property would cost a microsecond (bench/README.md).
    const exchange = { request, reply, fields, endpoint, presented, principal, ...route }
    await checkAccess(exchange) // 403, 404
    return whileAlive(route.parts.database, answer(exchange), () => lateError(endpoint, request)) // 503
  }

/**
 * The steps after that. The target is looked up before the body is checked: a record that does not exist is a 404,
 * whatever the body says.
 */
async function answer(exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  await makeDueSwitches(exchange)
  if (!isRead(request)) return sendWritten(reply, announced(exchange, await performOnce(exchange, perform))) // 409
  const kept = keptReply(exchange)
  if (kept) return sendReply(request, reply, await currentReply(exchange, kept, () => readAgain(exchange)))
  const { result, notice } = await run(exchange)
  if (!result) return reply.status(204).send()
  if ('text' in result) return sendFile(request, reply, result)
  return sendReply(request, reply, prepared(exchange, result, notice))
}

/** The new answer to a request whose earlier one was kept. */
async function readAgain(exchange: Exchange): Promise<KeptAnswer> {
  const { result, notice } = await run(exchange)
  if (!result || 'text' in result) throw new Error('A list has become something else')
  return prepared(exchange, result, notice)
}

function prepared(exchange: Exchange, result: Answer, notice: string | undefined): KeptAnswer {
  const answer = prepareReply(exchange, result, notice)
  return result.version === undefined ? answer : exchange.answers.offer(keyOf(exchange.request), answer)
}

async function run(exchange: Exchange): Promise<OperationOutcome> {
  const target = await findTarget(exchange) // 404
  return runEndpoint(exchange, target, readBody(exchange)) // 422
}

async function perform(exchange: Exchange): Promise<WrittenAnswer> {
  const target = await findTarget(exchange) // 404
  const { result } = await runEndpoint(exchange, target, readBody(exchange)) // 422
  return { recordId: target.id, ...answerOf(exchange, result) }
}

function answerOf(exchange: Exchange, result: OperationOutcome['result']): WrittenAnswer {
  if (!result) return { status: 204 }
  return 'text' in result ? { status: 200, type: result.type, body: result.text } : written(exchange, result)
}

/** Lets readers of events look for new ones. */
function announced({ parts, principal }: Exchange, answer: WrittenAnswer): WrittenAnswer {
  parts.cache(createEventHints).send(parts.database.db, principal.siteId)
  return answer
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

function chooseEndpoint({ endpoints }: Route, request: FastifyRequest, fields: Fields): Endpoint {
  const verb = verbOf(request, fields)
  const endpoint = endpoints.get(verb)
  if (!endpoint) throw verbNotOffered(verb, request.url) ?? notPossible(verb, endpoints)
  return endpoint
}

/** `_method=put` or `delete` inside a POST replaces the verb. */
function verbOf(request: FastifyRequest, { tree }: Fields): Verb {
  if (request.method === 'HEAD') return 'GET'
  const asked = request.method === 'POST' ? (tree._method ?? queryOf(request)._method) : undefined
  return (
    typeof asked === 'string' && /^(put|delete)$/i.test(asked) ? asked.toUpperCase() : request.method
  ) as Verb
}

function notPossible(verb: Verb, endpoints: Endpoints): ApiError {
  const allow = [...endpoints.keys()].join(', ')
  return new ApiError(405, `${verb} is not possible here. Possible: ${allow}.`, { headers: { allow } })
}

const identifyCaller = (
  { parts, resource }: Route,
  endpoint: Endpoint,
  presented: Presented,
): Promise<Principal> =>
  whileAlive(
    parts.database,
    identifyPresented(parts.principals, presented, allows('consumer', resource, endpoint.name)),
    () => unavailable(undefined),
  )

async function checkAccess(exchange: Exchange): Promise<void> {
  const { resource, endpoint, principal } = exchange
  if (!mayDo(principal, resource, endpoint.name)) throw await accessError(exchange)
}

/** If the database stops answering, a caller may repeat a read, but must first check whether a write was done. */
const lateError = ({ input, success }: Endpoint, request: FastifyRequest) =>
  (input || success === 204) && !request.isDoneOnce ? interrupted(undefined) : unavailable(undefined)

/**
 * Records that are due to be shown or hidden are switched before anything is read. A second round is needed if a switch was
 * already running: it may have begun before the newest one fell due.
 */
async function makeDueSwitches({ resource, parts: { freshness } }: Exchange): Promise<void> {
  if (!hidingField(resource)) return
  for (let round = 0; round < 2 && freshness.due(); round += 1) await freshness.settle()
}

function readBody({ endpoint: { input }, principal, fields, request }: Exchange): Call['body'] {
  if (!input) return {}
  return readInput(publishes(principal.kind) ? input : withoutRestricted(input), fields, queryOf(request))
}

interface OperationOutcome {
  /** Undefined if there is nothing to return, as after a removal. */
  readonly result: Answer | FileAnswer | undefined
  /** Which parts of the request were ignored. */
  readonly notice: string | undefined
}

async function runEndpoint(
  exchange: Exchange,
  { id, scope }: PathTarget,
  body: Call['body'],
): Promise<OperationOutcome> {
  const { parts, resource, endpoint, principal, request } = exchange
  const notices = new Set<string>()
  const actor = { name: actorOf(principal), requestId: request.id }
  const result = await endpoint.run({
    parts:
      isRead(request) || parts.afterCommit ? parts : { ...parts, database: actingAs(parts.database, actor) },
    resource,
    principal,
    id,
    scope,
    query: queryOf(request),
    // The endpoint's input has checked it against the contract.
    body: body as never,
    perform: innerWrites(exchange, (inner, place) => runEndpoint(inner, place, readBody(inner))),
    notice: (text) => notices.add(text),
    ...originOf(request),
  })
  return { result, notice: notices.size > 0 ? [...notices].join('; ') : undefined }
}
