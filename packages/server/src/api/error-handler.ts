import { publishes } from '@zoetrope/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDeadlock, violatedIndex, violation } from '../db/violation.js'
import {
  ApiError,
  challenge,
  crowded,
  diskFull,
  interrupted,
  invalid,
  isOverload,
  storageAway,
  tooSlow,
  unavailable,
} from '../errors.js'
import { describeDisk, stopsDatabase } from '../storage/disks.js'
import { hasReason, StorageError } from '../storage/storage-error.js'
import { formatOf, mediaTypes } from './format.js'
import { nameNotOffered, pathNotOffered } from './not-offered.js'
import { writeXml } from './xml.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the database is, if it is on a disk of this machine. */
    databaseFolder: string | undefined
  }
}

/** The one place that turns a throw into an answer. */
export function addErrors(app: FastifyInstance, databaseFolder?: string): void {
  app.decorateRequest('databaseFolder', { getter: () => databaseFolder })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = missing(request, explain(error, request))
    if (!known || isFault(known)) request.log.error({ err: error, request_id: request.id }, error.message)
    return sendError(
      request,
      reply,
      known ??
        new ApiError(500, 'Something went wrong on our side. The log has the details under the request id.'),
    )
  })
  app.setNotFoundHandler(sendNothing)
}

/** An overload is a refusal like those of the 400s, and no fault of ours. */
const isFault = (error: ApiError) => error.status >= 500 && !isOverload(error)

export function sendNothing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const nothing = () => new ApiError(404, 'There is nothing at this path. The reference is at /docs.')
  return sendError(request, reply, pathNotOffered(request.method, request.url) ?? nothing())
}

function missing(request: FastifyRequest, error: ApiError | undefined): ApiError | undefined {
  const { url = '' } = request.routeOptions
  return error?.status === 404 ? (nameNotOffered(request.method, request.url, url) ?? error) : error
}

/** The error as its caller sees it; undefined if it is a bug. */
export function explain(error: Error, request: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error
  // What the framework says about a request comes first: a caller that hangs up has the same code as a lost database.
  return refusedByFramework(error) ?? fullDisk(error, request) ?? explainOutage(error, request)
}

function explainOutage(error: Error, request: FastifyRequest): ApiError | undefined {
  if (isDeadlock(error)) return crowded(error)
  if (isForTheMoment(error)) return storageAway(error)
  const broken = violation(error)
  // With a key, a write is done once however often it is repeated.
  const isSafe = reads(request) || request.isDoneOnce
  if (broken === 'interrupted') return isSafe ? unavailable(error) : interrupted(error)
  if (broken === 'too_slow') return tooSlow(error)
  if (broken === 'unavailable' || broken === 'disk_full') return unavailable(error)
  return broken && refusal(broken, violatedIndex(error))
}

function fullDisk(error: Error, { databaseFolder }: FastifyRequest): ApiError | undefined {
  if (hasReason(error, 'full')) return diskFull('A disk of the server', undefined, error)
  const broken = violation(error)
  // PostgreSQL stops without a word when it has no room for its log.
  const isStopped = broken === 'unavailable' || broken === 'interrupted'
  return broken === 'disk_full' || (isStopped && stopsDatabase(databaseFolder))
    ? diskFull('The disk of the database', describeDisk(databaseFolder), error)
    : undefined
}

/** What Fastify refuses before a handler runs. */
export function refusedByFramework({ statusCode, message }: Partial<FastifyError>): ApiError | undefined {
  if (statusCode === 413) return new ApiError(413, 'The request is larger than the limit.')
  return statusCode !== undefined && statusCode < 500 ? invalid(message ?? '') : undefined
}

/** Whether the storage failed in a way that the same request may succeed later. */
const isForTheMoment = (error: Error) =>
  error instanceof StorageError && (error.reason === 'away' || error.reason === 'replaced')

const reads = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

const explanations = {
  unique: 'Another record has this value already.',
  foreign_key: 'A record that this one refers to does not exist.',
  check: 'A value breaks a rule of this record.',
  bad_value: 'A value cannot be understood.',
} as const

function refusal(broken: keyof typeof explanations, index = ''): ApiError {
  if (!index.endsWith('_by_friendly_title')) return invalid(explanations[broken])
  const message = 'Another record has this friendly_title already. Choose another one.'
  return invalid(message, { friendly_title: ['is taken'] })
}

/** Folders of the server are named to publishers only. */
const mayKnow = ({ caller }: FastifyRequest, { status }: ApiError) =>
  status !== 507 || (caller !== undefined && publishes(caller.kind))

export function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  const body = {
    message: error.message,
    code: error.code,
    ...(error.hint === undefined || !mayKnow(request, error) ? {} : { hint: error.hint }),
    ...(error.fields ? { errors: error.fields } : {}),
    request_id: request.id,
  }
  const format = formatOf(request)
  return reply
    .status(error.status)
    .headers({ ...(error.status === 401 ? { 'WWW-Authenticate': challenge() } : {}), ...error.headers })
    .header('cache-control', 'no-store')
    .type(mediaTypes[format])
    .send(format === 'json' ? JSON.stringify(body) : writeXml('error', body, 'error', {}))
}
