import { isHarmless } from '@zoetrope/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import { noticeOf, notUnderstood, report } from '../api/notices.js'
import { meant } from '../lib/nearest.js'
import type { Ignored } from '../lib/unknown-parameters.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The parameters of a player request that are ignored. */
    ignored: readonly Ignored[] | undefined
  }
}

/** What a value must be to count, and how that is said. */
type ParameterCheck = readonly [isValid: (value: string) => boolean, rule: string]

/** The parameters of a player request. Those without a check are read, and refused if they are wrong, elsewhere. */
export type KnownParameters = Readonly<Record<string, ParameterCheck | undefined>>

const ofEveryPlayer: ReadonlySet<string> = new Set([
  ...['api_key', 'app_key', 'access_token', 'upload_token', 'player_key', 'playback_token', 'channel_id'],
  'strict',
])

/** Names the parameters that are ignored in X-Notice, or throws 422 if the request is strict. */
export function reportIgnored(
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: KnownParameters,
): void {
  const names = [...Object.keys(parameters), ...ofEveryPlayer]
  request.ignored = Object.entries(queryOf(request)).flatMap(([name, given]): Ignored[] => {
    if (ofEveryPlayer.has(name) || isHarmless(name)) return []
    if (!Object.hasOwn(parameters, name))
      return [{ name, why: () => `there is no such parameter${meant(name, names)}` }]
    const [isValid, rule] = parameters[name] ?? []
    const value = String(given)
    return !isValid || isValid(value) ? [] : [{ name, value, why: () => `it must be ${rule}` }]
  })
  report({ request, reply }, request.ignored)
  const notice = noticeOf(reply)
  if (notice !== undefined) reply.header('x-notice', notice)
}

/** For callers whose key is strict. */
export function refuseIgnored({ ignored = [] }: FastifyRequest): void {
  if (ignored.length > 0) throw notUnderstood(ignored)
}
