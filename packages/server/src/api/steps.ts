import { allows, hidingField, publishes, shownOnce, touchedList } from '@zoetrope/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mayDo } from '../auth/access.js'
import { actorOf } from '../auth/actor.js'
import { checkConfirmed } from '../auth/confirmation.js'
import type { Principal } from '../auth/principals.js'
import { actingAs } from '../db/acting-as.js'
import { originOf } from '../edge/origin.js'
import { interrupted, notPossible, unavailable } from '../errors.js'
import { whileAlive } from '../lib/while-alive.js'
import { createEventHints } from '../lists/event-hints.js'
import type { Answer, Call, FileAnswer } from '../resources/feature.js'
import type { KeptAnswer } from './answers.js'
import { type Fields, fieldsOf } from './body.js'
import { queryOf } from './brackets.js'
import { identifyPresented, knownCaller, type Presented, presentedBy } from './credential.js'
import type { Endpoint, Verb } from './endpoints.js'
import type { Exchange, Route } from './exchange.js'
import { checkUnchanged } from './if-match.js'
import { innerWrites } from './inner-writes.js'
import { readInput, withoutRestricted } from './input.js'
import { createKeyRates } from './key-rates.js'
import { verbNotOffered } from './not-offered.js'
import { report, reportUnknown, withNotices } from './notices.js'
import { performOnce, type WrittenAnswer } from './one-transaction.js'
import { accessError, findTarget, type PathTarget } from './path-target.js'
import {
  currentReply,
  keptReply,
  keyOf,
  prepareReply,
  sendFile,
  sendReply,
  sendWritten,
  written,
} from './reply.js'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * The steps of a request to a resource, in order; each returns what later ones need, or throws the status beside it. Here
 * are those until its caller may make it.
 */
export const createHandler =
  (route: Route): Handler =>
  async (request, reply) => {
    const fields = fieldsOf(request)
    const endpoint = chooseEndpoint(route, request, fields) // 405
    const presented = presentedBy(request, fields.tree) // 401, 422
    const known = knownCaller(route.parts.principals, presented, request)
    const principal = known ?? (await identifyCaller(route, endpoint, presented)) // 401, 422
    request.caller = principal
    const refused = route.parts.cache(createKeyRates)(principal, reply) // 429
    if (refused) throw refused
    // What is new stands before what is copied: after it, each property would cost a microsecond (bench/README.md).
    const exchange = { request, reply, fields, endpoint, presented, principal, ...route }
    await checkAccess(exchange) // 403, 404
    const answer = isRead(request) ? read(exchange) : write(exchange)
    return whileAlive(route.parts.database, answer, () => lateError(endpoint, request)) // 503
  }

/** The other steps of a read: the answer that is kept, if it is still true, or else a new one. */
async function read(exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  if (isSwitchDue(exchange)) await makeDueSwitches(exchange)
  const kept = keptReply(exchange)
  if (kept) return sendReply(request, reply, await currentReply(exchange, kept, () => readAgain(exchange)))
  const result = await run(exchange) // 404, 422
  if (!result) return reply.status(204).send()
  if ('text' in result) return sendFile(request, reply, result)
  return sendReply(request, reply, prepared(exchange, result))
}

/** The other steps of a write. */
async function write(exchange: Exchange): Promise<FastifyReply> {
  if (isSwitchDue(exchange)) await makeDueSwitches(exchange)
  const answer = await performOnce(exchange, perform) // 404, 409, 412, 422
  announce(exchange)
  return sendWritten(exchange.reply, answer)
}

/**
 * What both do. The target is looked up before the body is checked: a record that does not exist is a 404, whatever the body
 * says.
 */
async function run(exchange: Exchange): Promise<OperationResult> {
  const target = await findTarget(exchange) // 404
  reportUnknown(exchange) // 422
  return runEndpoint(exchange, target, readBody(exchange)) // 422
}

async function perform(exchange: Exchange): Promise<WrittenAnswer> {
  const target = await findTarget(exchange) // 404
  await checkUnchanged(exchange, target, (reading) => runEndpoint(reading, target, {})) // 412
  reportUnknown(exchange) // 422
  const result = await runEndpoint(exchange, target, readBody(exchange)) // 422
  const hidden = withoutSecrets(exchange, result)
  const again = hidden ? { bodyAgain: written(exchange, hidden).body } : {}
  return { recordId: target.id, ...answerOf(exchange, result), ...again }
}

/** The answer without what is shown only once: a stored answer must not outlive it. Undefined if it has nothing of the kind. */
function withoutSecrets({ resource, endpoint }: Exchange, result: OperationResult): Answer | undefined {
  const names = endpoint.shown === resource ? shownOnce(resource) : []
  if (names.length === 0 || !result || 'text' in result) return undefined
  const { response } = JSON.parse(result.json.toString())
  if (!response) return undefined
  for (const name of names) if (Object.hasOwn(response, name)) response[name] = null
  return { json: JSON.stringify({ response }) }
}

/** The new answer to a request whose earlier one was kept. */
async function readAgain(exchange: Exchange): Promise<KeptAnswer> {
  const result = await run(exchange)
  if (!result || 'text' in result) throw new Error('A list has become something else')
  return prepared(exchange, result)
}

function prepared(exchange: Exchange, result: Answer): KeptAnswer {
  const answer = prepareReply(exchange, withNotices(exchange, result))
  return result.version === undefined ? answer : exchange.answers.offer(keyOf(exchange.request), answer)
}

function answerOf(exchange: Exchange, result: OperationResult): WrittenAnswer {
  if (!result) return { status: 204 }
  return 'text' in result
    ? { status: 200, type: result.type, body: result.text }
    : written(exchange, withNotices(exchange, result))
}

/** Lets readers of events look for new ones. */
function announce({ parts, principal }: Exchange): void {
  parts.cache(createEventHints).send(parts.database.db, principal.siteId)
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

function chooseEndpoint({ endpoints }: Route, request: FastifyRequest, fields: Fields): Endpoint {
  const verb = verbOf(request, fields)
  const endpoint = endpoints.get(verb)
  if (!endpoint)
    throw verbNotOffered(verb, request.url) ?? notPossible(verb, [...endpoints.keys()].join(', '))
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

const isSwitchDue = ({ resource, parts: { freshness } }: Exchange) =>
  freshness.due() && hidingField(resource) !== undefined

/**
 * Records that are due to be shown or hidden are switched before anything is read. A second round is needed if a switch was
 * already running: it may have begun before the newest one fell due.
 */
async function makeDueSwitches({ parts: { freshness } }: Exchange): Promise<void> {
  for (let round = 0; round < 2 && freshness.due(); round += 1) await freshness.settle()
}

function readBody({ endpoint: { input }, principal, fields, request }: Exchange): Call['body'] {
  if (!input) return {}
  return readInput(publishes(principal.kind) ? input : withoutRestricted(input), fields, queryOf(request))
}

/** Undefined if there is nothing to return, as after a removal. */
type OperationResult = Answer | FileAnswer | undefined

async function runEndpoint(
  exchange: Exchange,
  { id, scope }: PathTarget,
  body: Call['body'],
): Promise<OperationResult> {
  const { parts, resource, endpoint, principal, request } = exchange
  await checkConfirmed(parts.database.db, principal, resource, endpoint.name, body) // 403
  try {
    return await endpoint.run({
      resource,
      principal,
      id,
      scope,
      query: queryOf(request),
      // The endpoint's input has checked it against the contract.
      body: body as never,
      notice: (ignored) => report(exchange, [ignored]),
      ...originOf(request),
      ...(isRead(request) ? { parts: exchange.parts } : partsOfWrite(exchange)),
    })
  } finally {
    // A write can also fail after its commit.
    if (!isRead(request)) touchList(exchange)
  }
}

/** Invalidates cached answers of the list that a write may have changed; within a transaction, after the commit. */
function touchList({ parts, resource, principal }: Exchange): void {
  const list = touchedList(resource)
  if (list) parts.freshness.touch(principal.siteId, list)
}

/** Parts that name the caller in each transaction, and what performs other writes within this one. */
function partsOfWrite(exchange: Exchange): Pick<Call, 'parts' | 'perform'> {
  const { parts, principal, request } = exchange
  const actor = { name: actorOf(principal), requestId: request.id }
  return {
    parts: parts.afterCommit ? parts : { ...parts, database: actingAs(parts.database, actor) },
    perform: innerWrites(exchange, (inner, place) => {
      reportUnknown(inner)
      return runEndpoint(inner, place, readBody(inner))
    }),
  }
}
