import type { FastifyReply } from 'fastify'
import type { Principal } from '../auth/principals.js'
import { ApiError } from '../errors.js'
import { createBoundedMap } from '../lib/bounded-map.js'

/** The requests of one key within a minute. */
interface KeyMinute {
  readonly until: number
  used: number
}

/** Counts a request of a key that has a limit, and says so in its answer. Returns the error if it is one too many. */
export type CountRequest = (principal: Principal, reply: FastifyReply) => ApiError | undefined

const seconds = 60

/**
 * Limits the requests of named keys. Each process counts for itself, in memory: a limit that is exact over several servers
 * would cost each request a write to the database.
 */
export function createKeyRates(): CountRequest {
  const minutes = createBoundedMap<KeyMinute>(10_000)
  return ({ keyId, requestsPerMinute: most }, reply) => {
    if (most === undefined || keyId === undefined) return undefined
    const now = Date.now()
    const known = minutes.get(keyId)
    const minute = known && known.until > now ? known : { until: now + seconds * 1000, used: 0 }
    if (minute !== known) minutes.set(keyId, minute)
    minute.used += 1
    const left = Math.ceil((minute.until - now) / 1000)
    reply.header('ratelimit-policy', `"key";q=${most};w=${seconds}`)
    reply.header('ratelimit', `"key";r=${Math.max(most - minute.used, 0)};t=${left}`)
    return minute.used > most ? tooManyRequests(most, left) : undefined
  }
}

const tooManyRequests = (most: number, left: number) =>
  new ApiError(429, `This key may make ${most} requests a minute. Try again in ${left} seconds.`, {
    headers: { 'Retry-After': String(left) },
  })
