/** Who waits for a window: a viewer, the uploader of the film, or nobody. Slots are granted in this order. */
export type Need = 'viewer' | 'preparing' | 'background'
const order: readonly Need[] = ['viewer', 'preparing', 'background']

/** A request for an encoder slot. It may become more urgent while it waits. */
export interface EncoderRequest {
  readonly need: Need
  /** Registers a callback for when it has become more urgent. */
  readonly onGrown?: (look: () => void) => void
  /** Aborts when nobody waits for it any more. */
  readonly left: AbortSignal
}

/** Waits for an encoder slot and returns its release function. Rejects if the request is cancelled first. */
export type EncoderTurns = (request: EncoderRequest) => Promise<() => void>

interface WaitingEncoder {
  readonly request: EncoderRequest
  readonly begin: () => void
}

/**
 * Limits the number of parallel encoders. Urgent work goes first, in order of arrival. Background work leaves
 * one slot free, if there are several, so that a viewer need not wait for it to end.
 */
export function createEncoderTurns(places: number): EncoderTurns {
  const waiting = new Set<WaitingEncoder>()
  const running = new Map<object, Need>()
  const mostInBackground = Math.max(places - 1, 1)

  const inBackground = () => [...running.values()].filter((need) => need === 'background').length
  const mayBegin = (need: Need) => need !== 'background' || inBackground() < mostInBackground

  /** A set keeps insertion order. */
  function next(): WaitingEncoder | undefined {
    for (const need of order)
      for (const each of waiting) if (each.request.need === need && mayBegin(need)) return each
    return undefined
  }

  function fill(): void {
    while (running.size < places) {
      const chosen = next()
      if (!chosen) return
      waiting.delete(chosen)
      chosen.begin()
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      request.left.throwIfAborted()
      const leave = () => {
        waiting.delete(mine)
        reject(request.left.reason)
      }
      const mine: WaitingEncoder = {
        request,
        begin() {
          request.left.removeEventListener('abort', leave)
          running.set(mine, request.need)
          resolve(() => {
            running.delete(mine)
            fill()
          })
        },
      }
      request.left.addEventListener('abort', leave, { once: true })
      waiting.add(mine)
      request.onGrown?.(fill)
      fill()
    })
}

/**
 * The combined request of all who wait for the same window: as urgent as the most urgent, and cancelled when
 * all have left.
 */
export interface SharedRequest extends EncoderRequest {
  /** Returns a function that stops listening: the signal may outlive the request. */
  join(need: Need, signal: AbortSignal | undefined): () => void
}

export function createSharedRequest(): SharedRequest {
  const leaving = new AbortController()
  let most: Need = 'background'
  let joined = 0
  let grown = () => {}
  return {
    get need() {
      return most
    },
    left: leaving.signal,
    onGrown(look) {
      grown = look
    },
    join(need, signal) {
      joined += 1
      if (order.indexOf(need) < order.indexOf(most)) {
        most = need
        grown()
      }
      const leave = () => {
        joined -= 1
        if (joined === 0) leaving.abort(signal?.reason)
      }
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true })
      return () => signal?.removeEventListener('abort', leave)
    },
  }
}
