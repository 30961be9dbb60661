import { createHash, randomBytes } from 'node:crypto'
import {
  actionPath,
  allows,
  hidingField,
  type Operation,
  operations,
  pathOf,
  type Resource,
} from '@zoetrope/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notAllowed } from '../auth/access.js'
import type { Credential, Principal } from '../auth/principals.js'
import { ApiError, interrupted, notFound, unavailable } from '../errors.js'
import { isId } from '../lib/object-id.js'
import type { Answer, Feature, Parts, Run } from '../resources/feature.js'
import { standard } from '../resources/standard.js'
import { belongs } from '../resources/store.js'
import { type KeptAnswer, type KeptAnswers, sameCaller } from './answers.js'
import { type Fields, fieldsOf } from './body.js'
import { queryOf } from './brackets.js'
import { credentialOf, headerFingerprint, identify } from './credential.js'
import { type Format, formatOf, mediaTypes, render } from './format.js'
import { actionInput, type Input, operationInput, readInput } from './input.js'
import { whileAlive } from './while-alive.js'

/** One endpoint of a resource: what it is called, how it is run, what it takes, how a success is answered. */
interface Endpoint {
  readonly name: string
  readonly run: Run
  readonly input: Input | undefined
  readonly success: number
}

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'
const verbs: readonly Verb[] = ['GET', 'POST', 'PUT', 'DELETE']

/** The routes of one resource: the standard five, each replaceable by a feature, and its declared actions. */
export function addResource(
  app: FastifyInstance,
  parts: Parts,
  answers: KeptAnswers,
  resource: Resource,
  feature: Feature,
): void {
  const paths = new Map<string, Map<Verb, Endpoint>>()
  const add = (path: string, verb: Verb, endpoint: Endpoint) =>
    paths.set(path, (paths.get(path) ?? new Map()).set(verb, endpoint))

  for (const operation of resource.operations)
    add(pathOf(resource, operation), operations[operation].method, endpointOf(resource, operation, feature))
  for (const [name, action] of Object.entries(resource.actions)) {
    const run = feature.actions?.[name]
    if (!run) throw new Error(`The action ${name} of ${resource.plural} has no code`)
    const input = actionInput(resource, action.body ?? {})
    add(actionPath(resource, name), action.method, { name, run, input, success: 200 })
  }
  for (const [path, endpoints] of paths) addPath(app, parts, answers, resource, path, endpoints)
}

function endpointOf(resource: Resource, operation: Operation, feature: Feature): Endpoint {
  const writes = operation === 'create' || operation === 'update'
  return {
    name: operation,
    run: feature.operations?.[operation] ?? standard[operation],
    input: writes ? operationInput(resource, operation) : undefined,
    success: operations[operation].success,
  }
}

/** Every verb of a path: those it has, POST with `_method` for those it has, and 405 for the rest. */
function addPath(
  app: FastifyInstance,
  parts: Parts,
  answers: KeptAnswers,
  resource: Resource,
  path: string,
  endpoints: ReadonlyMap<Verb, Endpoint>,
): void {
  const allow = [...endpoints.keys()].join(', ')
  app.route({
    method: [...verbs, 'PATCH'],
    url: path,
    onRequest: (request, reply, done) => {
      const kept = request.method === 'GET' ? answers.get(keyOf(request)) : undefined
      if (!kept || !stillHolds(parts, kept)) return done()
      request.caller = kept.principal
      sendKept(request, reply, kept)
    },
    async handler(request, reply) {
      const fields = fieldsOf(request)
      const verb = verbOf(request, fields)
      const endpoint = endpoints.get(verb)
      if (!endpoint)
        throw new ApiError(405, `${verb} is not possible here. Possible: ${allow}.`, {
          headers: { allow },
        })
      const credential = credentialOf(request, fields.tree)
      const principal = await whileAlive(parts.database.db, identify(parts.principals, credential), () =>
        unavailable(undefined),
      )
      request.caller = principal
      if (!allows(principal.kind, resource, endpoint.name))
        throw await refusal(parts, resource, endpoint, principal, request)
      const performance = { parts, answers, resource, endpoint, fields, credential, principal }
      const late = () =>
        endpoint.input || endpoint.success === 204 ? interrupted(undefined) : unavailable(undefined)
      return whileAlive(parts.database.db, perform(request, reply, performance), late)
    },
  })
}

/** Another channel's record is not there, whatever the caller may do; for its own channel's it is told what it may do. */
async function refusal(
  { database }: Parts,
  resource: Resource,
  endpoint: Endpoint,
  principal: Principal,
  request: FastifyRequest,
): Promise<ApiError> {
  const id = idOf(request, resource, endpoint, principal)
  if (id && !(await belongs(database.db, resource, { site_id: principal.siteId }, id)))
    return notFound(resource.name)
  return notAllowed(principal, resource, endpoint.name)
}

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
  readonly credential: Credential
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
  const answer = await endpoint.run({
    parts,
    resource,
    principal,
    scope: { site_id: principal.siteId },
    id: idOf(request, resource, endpoint, principal),
    query: queryOf(request),
    body: endpoint.input ? readInput(endpoint.input, fields) : {},
  })
  if (!answer) return reply.status(204).send()
  const made = keep(request, performance, answer)
  if (answer.version !== undefined) answers.offer(keyOf(request), made)
  return request.method === 'GET' || request.method === 'HEAD'
    ? sendKept(request, reply, made)
    : reply.status(endpoint.success).type(made.type).send(made.body)
}

function idOf(request: FastifyRequest, resource: Resource, endpoint: Endpoint, principal: Principal): string {
  if (resource.single) return principal.siteId
  if (endpoint.name === 'list' || endpoint.name === 'create') return ''
  const { id } = request.params as { id: string }
  if (!isId(id)) throw notFound(resource.name)
  return id
}

/** The answer kept for this request, if its list has not changed since. */
async function recall(
  request: FastifyRequest,
  { parts, answers, resource, principal }: Performance,
): Promise<KeptAnswer | undefined> {
  const kept = answers.get(keyOf(request))
  if (!kept || !sameCaller(kept.principal, principal)) return undefined
  const version = await parts.freshness.version(principal.siteId, resource.plural)
  return version === kept.version ? kept : undefined
}

function keep(
  request: FastifyRequest,
  { resource, credential, principal }: Performance,
  answer: Answer,
): KeptAnswer {
  const format = formatOf(request)
  const body = render(format, answer.json, resource)
  return {
    body,
    type: mediaTypes[format],
    etag: tagOf(body, format, principal, answer.version),
    list: resource.plural,
    version: answer.version ?? 0,
    credential,
    principal,
  }
}

/** Versions begin anew with another database; the tags of this process do not look like those of another. */
const origin = randomBytes(6).toString('base64url')

/** A list's content follows from its version and the caller; other answers are few and small, so their text is hashed. */
function tagOf(
  body: string | Buffer,
  format: Format,
  caller: Principal,
  version: number | undefined,
): string {
  if (version === undefined) return `"${createHash('sha1').update(body).digest('base64url')}"`
  return `"${origin}.${caller.siteId}.${caller.kind}.${caller.firstPage}.${format}.${version}"`
}

const keyOf = (request: FastifyRequest) => `${formatOf(request)} ${headerFingerprint(request)} ${request.url}`

function stillHolds({ principals, freshness }: Parts, kept: KeptAnswer): boolean {
  const caller = principals.known(kept.credential)
  return (
    caller !== undefined &&
    sameCaller(caller, kept.principal) &&
    freshness.known(caller.siteId, kept.list) === kept.version
  )
}

function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, etag }: KeptAnswer,
): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return reply.header('content-type', type).send(body)
}

/** RFC 9110 §13.1.2: a list of tags, weak ones compared like strong ones, or a star. */
function matches(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    (header === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
  )
}
