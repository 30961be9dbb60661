import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principals.js'
import { isWorthCompressing } from '../edge/compression.js'
import { sendTagged } from '../edge/tagged-answer.js'
import { asAttachment } from '../lib/as-attachment.js'
import type { Answer, FileAnswer, Parts } from '../resources/feature.js'
import { type KeptAnswer, sameCaller } from './answers.js'
import { headerFingerprint } from './credential.js'
import type { Exchange } from './exchange.js'
import { formatOf, mediaTypes, render, type WireFormat } from './format.js'
import { noticeOf, saysStrict } from './notices.js'
import type { WrittenAnswer } from './one-transaction.js'

/** The key under which the answer to a request is kept. */
export function keyOf(request: FastifyRequest): string {
  request.answerKey ??= `${formatOf(request)} ${headerFingerprint(request)} ${request.url}`
  return request.answerKey
}

/** Whether a kept answer can be sent without asking the database: its caller and its list's version are known and unchanged. */
export function isCurrent(
  { principals, freshness }: Parts,
  kept: KeptAnswer,
  request: FastifyRequest,
): boolean {
  const { credential, besideKey } = kept.presented
  const caller = principals.known(credential, request)
  return (
    isAnswerTo(kept, request) &&
    caller !== undefined &&
    sameCaller(caller, kept.principal) &&
    (besideKey === undefined || principals.known(besideKey, request)?.siteId === caller.siteId) &&
    freshness.known(caller.siteId, kept.list) === kept.version
  )
}

/** An answer to a request that was not understood as a whole is an error for a strict one. */
const isAnswerTo = ({ notice }: KeptAnswer, request: FastifyRequest) =>
  notice === undefined || !saysStrict(request)

/** The answer that is kept for a request to a list, for this caller. */
export function keptReply({ request, answers, endpoint, principal }: Exchange): KeptAnswer | undefined {
  const kept = endpoint.name === 'list' ? answers.get(keyOf(request)) : undefined
  return kept && sameCaller(kept.principal, principal) && isAnswerTo(kept, request) ? kept : undefined
}

/**
 * The kept answer if the database confirms that the list has not changed since, or else a new one, which many who ask
 * after a write share.
 */
export async function currentReply(
  { request, parts, answers, resource, principal }: Exchange,
  kept: KeptAnswer,
  read: () => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const version = await parts.freshness.version(principal.siteId, resource.plural)
  if (version === kept.version) return kept
  const isEnough = (answer: KeptAnswer) =>
    answer.version >= version && sameCaller(answer.principal, principal)
  return answers.renew(keyOf(request), isEnough, read)
}

/** Renders the answer to a read, with its ETag. */
export function prepareReply(
  { request, reply, resource, endpoint, presented, principal }: Exchange,
  { json, version }: Answer,
): KeptAnswer {
  const format = formatOf(request)
  const body = render(format, json, endpoint.shown)
  return {
    body,
    type: mediaTypes[format],
    etag: tagOf(body, format, principal, version),
    notice: noticeOf(reply),
    list: resource.plural,
    version: version ?? 0,
    presented,
    principal,
    isCompressible: endpoint.showsNoSecret && isWorthCompressing(body),
  }
}

/** List versions start again with a new database. This makes the tags of two processes differ. */
const origin = randomBytes(6).toString('base64url')

/** The version and the caller determine the content of a counted list. Other answers are few and small: their text is hashed. */
function tagOf(
  body: string | Buffer,
  format: WireFormat,
  caller: Principal,
  version: number | undefined,
): string {
  if (version === undefined) return tagOfText(body)
  return `"${origin}.${caller.siteId}.${caller.kind}.${caller.firstPage}.${format}.${version}"`
}

/** Sends the answer to a read, kept or new, or 304 if the caller has it. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, prepared: KeptAnswer): FastifyReply {
  if (prepared.notice !== undefined) reply.header('x-notice', prepared.notice)
  return sendTagged(request, reply.header('cache-control', 'private, no-cache'), prepared)
}

const tagOfText = (body: string | Buffer) => `"${hash('sha1', body, 'base64url')}"`

/** Sends a file, or 304 if the caller has it. */
export const sendFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  { text, type, name }: FileAnswer,
): FastifyReply =>
  sendTagged(
    request,
    reply.headers({
      'cache-control': 'private, no-cache',
      'content-disposition': asAttachment(name),
    }),
    { body: text, type, etag: tagOfText(text), isCompressible: isWorthCompressing(text) },
  )

/** Renders the answer to a write. */
export function written({ request, endpoint }: Exchange, { json }: Answer): WrittenAnswer {
  const format = formatOf(request)
  return { status: endpoint.success, type: mediaTypes[format], body: render(format, json, endpoint.shown) }
}

/** Sends the answer to a write. It has no ETag, and is never kept in memory or compressed. */
export function sendWritten(
  reply: FastifyReply,
  { status, type, body, headers }: WrittenAnswer,
): FastifyReply {
  const notice = noticeOf(reply)
  const begun = reply.status(status).headers({ ...headers, ...(notice && { 'x-notice': notice }) })
  return type === undefined ? begun.send() : begun.type(type).send(body)
}
