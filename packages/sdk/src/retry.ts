import { pause } from './deadline.js'
import { ZoetropeError } from './zoetrope-error.js'

const firstDelayMs = 250
/** A longer Retry-After is left to the caller instead of blocking the call. */
const longestWaitMs = 30_000

interface Policy {
  /** A read, or a write that the server does once however often it is sent. */
  readonly isRepeatable: boolean
  readonly retries: number
  readonly signal?: AbortSignal
}

export async function repeating<T>(policy: Policy, attempt: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt()
    } catch (error) {
      const delay = retry < policy.retries ? retryDelay(policy.isRepeatable, error, retry) : undefined
      if (delay === undefined) throw error
      await pause(delay, policy.signal)
    }
  }
}

/** How long to wait before retrying, or undefined if the request must not be retried. */
function retryDelay(isRepeatable: boolean, error: unknown, retry: number): number | undefined {
  if (!(error instanceof ZoetropeError) || !mayRepeat(isRepeatable, error)) return undefined
  if (error.retryAfter === undefined) return firstDelayMs * 2 ** retry * (0.5 + Math.random() / 2)
  const wait = error.retryAfter * 1000
  return wait <= longestWaitMs ? wait : undefined
}

/** Whether a request that failed may be sent again. */
export function mayRepeat(isRepeatable: boolean, { status, code, retryAfter }: ZoetropeError): boolean {
  // Both are sent before anything is done, so repeating even a write is safe.
  if (status === 429 || (status === 503 && retryAfter !== undefined)) return true
  if (!isRepeatable) return false
  // The first request is still running.
  if (status === 409) return retryAfter !== undefined
  return code === 'network' || code === 'timeout' || [502, 503, 504].includes(status)
}
