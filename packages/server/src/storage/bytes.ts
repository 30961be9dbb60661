import type { WriteLimits } from './storage.js'
import { StorageError } from './storage-error.js'

/** The body as far as it may go. An abort is noticed even while the body keeps silent. */
export async function* limited(
  body: AsyncIterable<Uint8Array>,
  { maxBytes = Number.POSITIVE_INFINITY, signal }: WriteLimits,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  const aborted = whenAborted(signal)
  let size = 0
  let isOver = false
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise])
      isOver = next.done === true
      if (next.done) return
      size += next.value.byteLength
      if (size > maxBytes)
        throw new StorageError('too_large', `More than the allowed ${maxBytes} bytes came.`)
      yield next.value
    }
  } finally {
    aborted.forget()
    // Not awaited: a body that keeps silent would not answer.
    if (!isOver) iterator.return?.().catch(() => {})
  }
}

function whenAborted(signal: AbortSignal | undefined) {
  let forget = () => {}
  const promise = new Promise<never>((_, reject) => {
    if (!signal) return
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    forget = () => signal.removeEventListener('abort', abort)
  })
  promise.catch(() => {})
  return { promise, forget: () => forget() }
}
