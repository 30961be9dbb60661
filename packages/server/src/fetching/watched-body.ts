import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { within } from '../lib/deadline.js'
import { FetchFailed, FetchRefused } from './fetch-error.js'

export interface BodyLimits {
  readonly maxBytes: number
  readonly idleMs: number
  readonly leastBytesPerSecond?: number
}

const leastByDefault = 1000

/** The body of a response, which fails if it is too large, too slow, or interrupted. */
export function watchedBody(answer: IncomingMessage, limits: BodyLimits, signal: AbortSignal): Readable {
  const body = Readable.from(watch(answer, limits, signal), { objectMode: false })
  // An error after the reader has left must not crash the process.
  body.on('error', () => {})
  const abort = () => body.destroy(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  body.once('close', () => {
    signal.removeEventListener('abort', abort)
    answer.destroy()
  })
  return body
}

export const responseTooLarge = (maxBytes: number) =>
  new FetchRefused(`The response is larger than the allowed ${maxBytes} bytes.`)

async function* watch(
  answer: IncomingMessage,
  { maxBytes, idleMs, leastBytesPerSecond = leastByDefault }: BodyLimits,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]()
  const pace = createPace(idleMs, leastBytesPerSecond)
  let size = 0
  for (;;) {
    const { done, value } = await pace(chunks.next()).catch((error: unknown) => {
      if (signal.aborted) throw signal.reason
      if (error instanceof FetchFailed) throw error
      throw new FetchFailed('The response broke off before it was complete.', { cause: error })
    })
    if (done) return
    size += value.byteLength
    if (size > maxBytes) throw responseTooLarge(maxBytes)
    yield value
  }
}

/** Counts only time spent waiting for the other side, not our own slowness. */
function createPace(idleMs: number, leastBytesPerSecond: number) {
  const leastBytes = (leastBytesPerSecond * idleMs) / 1000
  let waited = 0
  let came = 0
  return async (next: Promise<IteratorResult<Uint8Array>>): Promise<IteratorResult<Uint8Array>> => {
    const begun = performance.now()
    const result = await within(idleMs - waited, next, tooSlow)
    waited += performance.now() - begun
    came += result.done ? 0 : result.value.byteLength
    if (came >= leastBytes) {
      waited = 0
      came = 0
    }
    return result
  }
}

const tooSlow = () => new FetchFailed('The response arrived too slowly and was given up.')
