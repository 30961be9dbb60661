import type { Principal } from '../auth/principals.js'
import type { TaggedAnswer } from '../edge/tagged-answer.js'
import { within } from '../lib/deadline.js'
import type { Presented } from './credential.js'

/** An answer ready to be sent, with what must be unchanged for it to be sent again. */
export interface KeptAnswer extends TaggedAnswer {
  /** Which parts of the request were ignored. */
  readonly notice: string | undefined
  readonly list: string
  readonly version: number
  readonly presented: Presented
  readonly principal: Principal
}

export interface KeptAnswers {
  get(key: string): KeptAnswer | undefined
  /**
   * Keeps an answer the second time it is requested. Most are requested only once, so keeping those would waste memory.
   * Returns the answer to send.
   */
  offer(key: string, answer: KeptAnswer): KeptAnswer
  /**
   * Reads an answer again. Of many who ask at once, one reads for all to whom the answer `isEnough`. If it fails or takes long, the
   * others read for themselves.
   */
  renew(key: string, isEnough: IsEnough, read: () => Promise<KeptAnswer>): Promise<KeptAnswer>
}

type IsEnough = (answer: KeptAnswer) => boolean

const remembered = 2000
/** Requests for the same list share one read, which takes milliseconds. A request that has waited this long reads for itself. */
const longestWaitMs = 2000
const late = () => new Error('The reading of another request takes long.')
const bytesOf = (body: string | Buffer) => (typeof body === 'string' ? Buffer.from(body) : body)

/**
 * Keeps answers to recent lists, at most `maxBytes` in total. Those that were not used while the rest filled up are dropped
 * first.
 */
export function keepAnswers(maxBytes: number): KeptAnswers {
  const kept = new Map<string, KeptAnswer>()
  const askedOnce = new Set<string>()
  const renewals = new Map<string, Promise<KeptAnswer>>()
  let bytes = 0
  // The compressed form is added later, and is at most a fifth as large.
  const sizeOf = (key: string, { body }: KeptAnswer) => body.length * 1.2 + key.length * 2 + 500
  const drop = (key: string) => {
    const answer = kept.get(key)
    if (!answer) return
    kept.delete(key)
    bytes -= sizeOf(key, answer)
  }
  const keep = (key: string, answer: KeptAnswer) => {
    drop(key)
    if (sizeOf(key, answer) > maxBytes / 10) return answer
    kept.set(key, answer)
    bytes += sizeOf(key, answer)
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
    return answer
  }
  return {
    get(key) {
      const answer = kept.get(key)
      // The order matters only if something may be dropped soon.
      if (!answer || bytes < maxBytes / 2) return answer
      kept.delete(key)
      kept.set(key, answer)
      return answer
    },
    offer(key, answer) {
      if (askedOnce.delete(key) || kept.has(key)) return keep(key, { ...answer, body: bytesOf(answer.body) })
      askedOnce.add(key)
      if (askedOnce.size > remembered) askedOnce.delete(askedOnce.values().next().value ?? '')
      return answer
    },
    async renew(key, isEnough, read) {
      // The first reading may have begun before a write. The second is new enough.
      let last: Promise<KeptAnswer> | undefined
      for (let tries = 0; tries < 2; tries += 1) {
        const begun = renewals.get(key)
        if (!begun || begun === last) break
        const answer = await within(longestWaitMs, begun, late).catch(() => undefined)
        if (answer && isEnough(answer)) return answer
        last = begun
      }
      const reading = read().finally(() => {
        if (renewals.get(key) === reading) renewals.delete(key)
      })
      if (!renewals.has(key)) renewals.set(key, reading)
      return reading
    },
  }
}

/** Whether two callers are shown the same. */
export const sameCaller = (a: Principal, b: Principal): boolean =>
  a === b ||
  (a.kind === b.kind &&
    a.siteId === b.siteId &&
    a.appId === b.appId &&
    a.consumerId === b.consumerId &&
    a.scope === b.scope &&
    a.firstPage === b.firstPage &&
    a.isStrict === b.isStrict &&
    a.keyId === b.keyId &&
    a.requestsPerMinute === b.requestsPerMinute)
