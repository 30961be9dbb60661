import { createHash, randomBytes } from 'node:crypto'
import type { Resource, Shown } from '@zoetrope/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principals.js'
import type { Answer, Parts } from '../resources/feature.js'
import { type KeptAnswer, type KeptAnswers, sameCaller } from './answers.js'
import { isWorthCompressing } from './compression.js'
import { headerFingerprint, type Presented } from './credential.js'
import { type Format, formatOf, mediaTypes, render } from './format.js'
import { sendTagged } from './tagged-answer.js'

/** Whose answer it is, and to what. */
interface Asked {
  readonly parts: Parts
  readonly answers: KeptAnswers
  readonly resource: Resource
  readonly presented: Presented
  readonly principal: Principal
}

/** The answer kept for this request, if its list has not changed since. */
export async function recall(
  request: FastifyRequest,
  { parts, answers, resource, principal }: Asked,
): Promise<KeptAnswer | undefined> {
  const kept = answers.get(keyOf(request))
  if (!kept || !sameCaller(kept.principal, principal)) return undefined
  const version = await parts.freshness.version(principal.siteId, resource.plural)
  return version === kept.version ? kept : undefined
}

export function keep(
  request: FastifyRequest,
  { resource, presented, principal }: Asked,
  answer: Answer,
  { shown, showsNoSecret }: { readonly shown: Shown; readonly showsNoSecret: boolean },
  notice: string | undefined,
): KeptAnswer {
  const format = formatOf(request)
  const body = render(format, answer.json, shown)
  return {
    body,
    type: mediaTypes[format],
    etag: tagOf(body, format, principal, answer.version),
    notice,
    list: resource.plural,
    version: answer.version ?? 0,
    presented,
    principal,
    isCompressible: showsNoSecret && isWorthCompressing(body),
  }
}

/** Versions begin anew with another database; the tags of this process do not look like those of another. */
const origin = randomBytes(6).toString('base64url')

/** A counted list's content follows from its version and the caller; other answers are few and small, so their text is hashed. */
function tagOf(
  body: string | Buffer,
  format: Format,
  caller: Principal,
  version: number | undefined,
): string {
  if (version === undefined) return `"${createHash('sha1').update(body).digest('base64url')}"`
  return `"${origin}.${caller.siteId}.${caller.kind}.${caller.firstPage}.${format}.${version}"`
}

export const keyOf = (request: FastifyRequest) =>
  `${formatOf(request)} ${headerFingerprint(request)} ${request.url}`

export function stillHolds({ principals, freshness }: Parts, kept: KeptAnswer): boolean {
  const { credential, besideKey } = kept.presented
  const caller = principals.known(credential)
  return (
    caller !== undefined &&
    sameCaller(caller, kept.principal) &&
    (besideKey === undefined || principals.known(besideKey)?.siteId === caller.siteId) &&
    freshness.known(caller.siteId, kept.list) === kept.version
  )
}

export function sendKept(request: FastifyRequest, reply: FastifyReply, kept: KeptAnswer): FastifyReply {
  if (kept.notice !== undefined) reply.header('x-notice', kept.notice)
  return sendTagged(request, reply.header('cache-control', 'private, no-cache'), kept)
}
