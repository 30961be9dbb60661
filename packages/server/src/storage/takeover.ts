import { StorageError } from './storage-error.js'

/** Runs work of one name alone: whoever comes stops the one before, waits until it has, and begins. */
export type Takeover = <T>(name: string, work: (stopped: AbortSignal) => Promise<T>) => Promise<T>

export const takenOver = () => new StorageError('taken_over', 'Another request went on with this upload.')

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
