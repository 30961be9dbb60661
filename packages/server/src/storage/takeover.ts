import { StorageError } from './storage-error.js'

/** Runs one piece of work per name: a newcomer stops the previous one, waits for its end, and starts. */
export type Takeover = <T>(name: string, work: (stopped: AbortSignal) => Promise<T>) => Promise<T>

export const takenOver = () => new StorageError('taken_over', 'Another request continued this upload.')

export function createTakeover(): Takeover {
  const last = new Map<string, { stop(): void; ended: Promise<unknown> }>()
  return async (name, work) => {
    const before = last.get(name)
    const controller = new AbortController()
    const running = (async () => {
      before?.stop()
      await before?.ended
      controller.signal.throwIfAborted()
      return work(controller.signal)
    })()
    const own = { stop: () => controller.abort(takenOver()), ended: running.catch(() => {}) }
    last.set(name, own)
    try {
      return await running
    } finally {
      if (last.get(name) === own) last.delete(name)
    }
  }
}
