/** Runs with a signal that aborts with the caller's, or with a TimeoutError after `ms`. */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  run: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  // By hand: AbortSignal.any keeps every derived signal alive as long as a long-lived caller's signal.
  const controller = new AbortController()
  const follow = () => controller.abort(signal?.reason)
  const expire = () =>
    controller.abort(new DOMException(`took longer than ${ms} milliseconds.`, 'TimeoutError'))
  const timer = setTimeout(expire, ms)
  signal?.addEventListener('abort', follow)
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}

/** Waits; rejects with the signal's reason as soon as it aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
