import { createHash } from 'node:crypto'
import type { Digested, WriteLimits } from './storage.js'
import { StorageError } from './storage-error.js'

/** Passes the body through up to a limit. Notices an abort even while the body sends nothing. */
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
        throw new StorageError('too_large', `More than the allowed ${maxBytes} bytes arrived.`)
      yield next.value
    }
  } finally {
    // Not awaited: a silent body would never respond.
    if (!isOver) iterator.return?.().catch(() => {})
  }
}

/** Not a race against one promise for the whole body, which would retain every chunk until the end. */
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

/** Reads a body to its end. */
export async function digestOf(body: AsyncIterable<Uint8Array>): Promise<Digested> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of body) {
    hash.update(chunk)
    size += chunk.byteLength
  }
  return { size, sha256: hash.digest('hex') }
}
