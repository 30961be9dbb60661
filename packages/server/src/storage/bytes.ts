import type { WriteLimits } from './storage.js'
import { StorageError } from './storage-error.js'

/** The body as far as it may go. An abort is noticed even while the body keeps silent. */
export async function* limited(
  body: AsyncIterable<Uint8Array>,
  { maxBytes = Number.POSITIVE_INFINITY, signal }: WriteLimits,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  let size = 0
  let isOver = false
  try {
    for (;;) {
      const next = await nextUnlessAborted(iterator, signal)
      isOver = next.done === true
      if (next.done) return
      size += next.value.byteLength
      if (size > maxBytes)
        throw new StorageError('too_large', `More than the allowed ${maxBytes} bytes came.`)
      yield next.value
    }
  } finally {
    // Not awaited: a body that keeps silent would not answer.
    if (!isOver) iterator.return?.().catch(() => {})
  }
}

/** Not a race with one promise for the whole body: that would hold on to every chunk until the end. */
function nextUnlessAborted<T>(
  iterator: AsyncIterator<T>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort, { once: true })
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', abort))
  })
}
