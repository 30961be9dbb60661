import {
  actionPath,
  actsOnMember,
  allows,
  fileFields,
  hidingField,
  type Operation,
  operations,
  pathOf,
  publishes,
  type Resource,
  type Shown,
} from '@zoetrope/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inScope } from '../auth/access.js'
import type { Principal } from '../auth/principals.js'
import { ApiError, interrupted, unavailable } from '../errors.js'
import type { Feature, Parts, Run } from '../resources/feature.js'
import { standard } from '../resources/standard.js'
import type { KeptAnswers } from './answers.js'
import { type Fields, fieldsOf } from './body.js'
import { queryOf } from './brackets.js'
import { identifyPresented, type Presented, presentedBy } from './credential.js'
import { actionInput, type Input, operationInput, readInput, withoutRestricted } from './input.js'
import { keep, keyOf, recall, sendKept, stillHolds } from './kept-answer.js'
import { verbNotOffered } from './not-offered.js'
import { originOf } from './origin.js'
import { placeOf, refusal } from './place.js'
import { unlessUsed } from './still-used.js'
import { whileAlive } from './while-alive.js'

/** One endpoint of a resource: what it is called, how it is run, what it takes, how a success is answered. */
interface Endpoint {
  readonly name: string
  readonly run: Run
  readonly input: Input | undefined
  readonly success: number
  /** Whether its path names one record. */
  readonly onMember: boolean
  /** Whose records its answer shows. */
  readonly shown: Shown
  /**
   * Whether its answers may be compressed. The length of a compressed answer tells about a secret in it as soon as the caller's
   * own words stand beside it (BREACH), so only records without a secret are, where they are read.
   */
  readonly showsNoSecret: boolean
}

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'
const verbs: readonly Verb[] = ['GET', 'POST', 'PUT', 'DELETE']

type Endpoints = ReadonlyMap<Verb, Endpoint>

/** The routes of one resource: the standard five, each replaceable by a feature, and its declared actions. */
export function addResource(
  app: FastifyInstance,
  parts: Parts,
  answers: KeptAnswers,
  resource: Resource,
  feature: Feature,
): void {
  for (const [path, endpoints] of endpointsOf(resource, feature))
    addPath(app, parts, answers, resource, path, endpoints)
}

/** Answers what is asked of a path, for a route that has read the body by itself. */
export const pathHandler = (
  parts: Parts,
  answers: KeptAnswers,
  resource: Resource,
  feature: Feature,
  path: string,
): Handler => createHandler(parts, answers, resource, endpointsOf(resource, feature).get(path) ?? new Map())

function endpointsOf(resource: Resource, feature: Feature): ReadonlyMap<string, Endpoints> {
  const paths = new Map<string, Map<Verb, Endpoint>>()
  const add = (path: string, verb: Verb, endpoint: Endpoint) =>
    paths.set(path, (paths.get(path) ?? new Map()).set(verb, endpoint))

  for (const operation of resource.operations)
    add(pathOf(resource, operation), operations[operation].method, endpointOf(resource, operation, feature))
  for (const [name, action] of Object.entries(resource.actions)) {
    const run = feature.actions?.[name]
    if (!run) throw new Error(`The action ${name} of ${resource.plural} has no code`)
    const input = actionInput(resource, action.body ?? {})
    const onMember = actsOnMember(resource, name)
    add(actionPath(resource, name), action.method, {
      name,
      run,
      input,
      onMember,
      success: action.success ?? 200,
      shown: action.of ?? resource,
      showsNoSecret: action.answers === 'list' && hasNoSecret(action.of ?? resource),
    })
  }
  return paths
}

function endpointOf(resource: Resource, operation: Operation, feature: Feature): Endpoint {
  const writes = operation === 'create' || operation === 'update'
  const run = feature.operations?.[operation] ?? standard[operation]
  return {
    name: operation,
    run: operation === 'remove' ? unlessUsed(run) : run,
    input: writes ? operationInput(resource, operation) : undefined,
    success: operations[operation].success,
    onMember: operations[operation].onMember && !resource.single,
    shown: resource,
    showsNoSecret: hasNoSecret(resource),
  }
}

const secretNames = /(^|_)(token|secret|key|pin)$/
const hasNoSecret = ({ fields }: Shown) =>
  !Object.entries(fields).some(([name, { kind }]) => kind === 'secret' || secretNames.test(name))

function addPath(
  app: FastifyInstance,
  parts: Parts,
  answers: KeptAnswers,
  resource: Resource,
  path: string,
  endpoints: Endpoints,
): void {
  app.route({
    method: [...verbs, 'PATCH'],
    url: path,
    config: { files: fileFields(resource) },
    onRequest: (request, reply, done) => {
      const kept = request.method === 'GET' ? answers.get(keyOf(request)) : undefined
      if (!kept || !stillHolds(parts, kept)) return done()
      request.caller = kept.principal
      sendKept(request, reply, kept)
    },
    handler: createHandler(parts, answers, resource, endpoints),
  })
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Every verb of a path: those it has, POST with `_method` for those it has, and 405 for the rest. */
function createHandler(
  parts: Parts,
  answers: KeptAnswers,
  resource: Resource,
  endpoints: Endpoints,
): Handler {
  const allow = [...endpoints.keys()].join(', ')
  return async (request, reply) => {
    const fields = fieldsOf(request)
    const verb = verbOf(request, fields)
    const endpoint = endpoints.get(verb)
    if (!endpoint) throw verbNotOffered(verb, request.url) ?? notPossible(verb, allow)
    const presented = presentedBy(request, fields.tree)
    const isForConsumers = allows('consumer', resource, endpoint.name)
    const principal = await whileAlive(
      parts.database,
      identifyPresented(parts.principals, presented, isForConsumers),
      () => unavailable(undefined),
    )
    request.caller = principal
    if (!allows(principal.kind, resource, endpoint.name) || !inScope(principal, resource))
      throw await refusal(parts, resource, endpoint, principal, request)
    const performance = { parts, answers, resource, endpoint, fields, presented, principal }
    const late = () =>
      endpoint.input || endpoint.success === 204 ? interrupted(undefined) : unavailable(undefined)
    return whileAlive(parts.database, perform(request, reply, performance), late)
  }
}

const notPossible = (verb: Verb, allow: string) =>
  new ApiError(405, `${verb} is not possible here. Possible: ${allow}.`, { headers: { allow } })

/** Nothing is read before the switches that have fallen due. One that is under way may have begun before the newest. */
async function settle({ freshness }: Parts): Promise<void> {
  for (let round = 0; round < 2 && freshness.due(); round += 1) await freshness.settle()
}

/** `_method=put` or `delete` inside a POST replaces the verb. */
function verbOf(request: FastifyRequest, { tree }: Fields): Verb {
  if (request.method === 'HEAD') return 'GET'
  const asked = request.method === 'POST' ? (tree._method ?? queryOf(request)._method) : undefined
  return (
    typeof asked === 'string' && /^(put|delete)$/i.test(asked) ? asked.toUpperCase() : request.method
  ) as Verb
}

interface Performance {
  readonly parts: Parts
  readonly answers: KeptAnswers
  readonly resource: Resource
  readonly endpoint: Endpoint
  readonly fields: Fields
  readonly presented: Presented
  readonly principal: Principal
}

async function perform(
  request: FastifyRequest,
  reply: FastifyReply,
  performance: Performance,
): Promise<FastifyReply> {
  const { parts, answers, resource, endpoint, fields, principal } = performance
  if (hidingField(resource)) await settle(parts)
  const kept = endpoint.name === 'list' ? await recall(request, performance) : undefined
  if (kept) return sendKept(request, reply, kept)
  const notices = new Set<string>()
  const answer = await endpoint.run({
    parts,
    resource,
    principal,
    ...(await placeOf(parts, resource, endpoint, principal, request)),
    query: queryOf(request),
    body: endpoint.input ? readInput(inputFor(principal, endpoint.input), fields, queryOf(request)) : {},
    ...originOf(request),
    notice: (text) => notices.add(text),
  })
  if (!answer) return reply.status(204).send()
  const notice = notices.size > 0 ? [...notices].join('; ') : undefined
  const made = keep(request, performance, answer, endpoint, notice)
  if (answer.version !== undefined) answers.offer(keyOf(request), made)
  return request.method === 'GET' || request.method === 'HEAD'
    ? sendKept(request, reply, made)
    : reply.status(endpoint.success).type(made.type).send(made.body)
}

const inputFor = ({ kind }: Principal, input: Input) => (publishes(kind) ? input : withoutRestricted(input))
