import type { Readable } from 'node:stream'
import { FetchFailed, FetchRefused } from '../fetching/fetch-error.js'
import { safeFetch } from '../fetching/safe-fetch.js'
import type { Resolve } from '../fetching/target.js'
import { signatureHeaders } from './signature.js'

/** The result of sending a delivery once. */
export interface Attempt {
  readonly at: Date
  readonly milliseconds: number
  /** The status of the answer, or null if there was none. */
  readonly response_status: number | null
  /** Why it failed, or null. */
  readonly error: string | null
}

export interface WebhookMessage {
  readonly url: string
  /** The id of the event: receivers recognise repetitions by it. */
  readonly id: string
  readonly body: string
  readonly secrets: readonly string[]
}

export interface Reach {
  /** Whether a receiver may have this address, although it is not public. */
  readonly allow: (address: string) => boolean
  readonly resolve?: Resolve
  readonly signal?: AbortSignal
  /** Told of an address that is refused, with the cause that the publisher does not see. */
  readonly onRefused?: (error: FetchRefused) => void
  /** The limit for an attempt, from the look-up of the name to the end of the answer. */
  readonly timeoutMs?: number
}

const mostMs = 10_000
const readBytes = 65_536

/**
 * Sends a message once. Any status from 200 to 299 is a success; redirects are not followed. Returns undefined if the
 * signal broke it off.
 */
export async function attempt(
  { url, id, body, secrets }: WebhookMessage,
  reach: Reach,
): Promise<Attempt | undefined> {
  const { timeoutMs = mostMs } = reach
  const at = new Date()
  const started = performance.now()
  const done = (response_status: number | null, error: string | null): Attempt => ({
    at,
    milliseconds: Math.round(performance.now() - started),
    response_status,
    error,
  })
  try {
    const answer = await safeFetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...signatureHeaders(secrets, id, at, body) },
      idleMs: timeoutMs,
      // The status decides; of the body a part is read, so that the receiver can end its answer.
      maxBytes: Number.POSITIVE_INFINITY,
      maxRedirects: 0,
      allowedBy: 'WEBHOOK_NETWORKS',
      ...reach,
      timeoutMs,
    })
    await discard(answer.body)
    const { status } = answer
    return done(status, status >= 200 && status < 300 ? null : `The receiver answered ${status}.`)
  } catch (error) {
    if (reach.signal?.aborted) return undefined
    if (error instanceof FetchRefused) reach.onRefused?.(error)
    if (error instanceof FetchFailed || error instanceof FetchRefused) return done(null, error.message)
    throw error
  }
}

async function discard(body: Readable): Promise<void> {
  let bytes = 0
  try {
    for await (const piece of body) {
      bytes += (piece as Buffer).length
      if (bytes >= readBytes) return
    }
  } catch {
    // The status was received, and it is what counts.
  }
}
