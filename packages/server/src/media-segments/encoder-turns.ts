/** Who waits for a window: a viewer, whoever has uploaded the film, or nobody. In this order they get their turns. */
export type Need = 'viewer' | 'preparing' | 'background'
const order: readonly Need[] = ['viewer', 'preparing', 'background']

/** What waits for a turn. Its need may grow while it does. */
export interface Wish {
  readonly need: Need
  /** Calls back when it has grown. */
  readonly onGrown?: (look: () => void) => void
  /** Aborts when nobody waits for it any more. */
  readonly left: AbortSignal
}

/** Waits for a place among the encoders, and answers with what gives it back. Rejects when the wish is left before. */
export type EncoderTurns = (wish: Wish) => Promise<() => void>

interface Waiting {
  readonly wish: Wish
  readonly begin: () => void
}

/**
 * So many encoders at a time. What somebody waits for goes first, and in the order in which it came. What nobody waits for
 * leaves a place free, if there is more than one, so that a viewer need not wait for the end of it.
 */
export function createEncoderTurns(places: number): EncoderTurns {
  const waiting = new Set<Waiting>()
  const running = new Map<object, Need>()
  const mostInBackground = Math.max(places - 1, 1)

  const inBackground = () => [...running.values()].filter((need) => need === 'background').length
  const mayBegin = (need: Need) => need !== 'background' || inBackground() < mostInBackground

  /** A set keeps the order in which they came. */
  function next(): Waiting | undefined {
    for (const need of order)
      for (const each of waiting) if (each.wish.need === need && mayBegin(need)) return each
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

  return (wish) =>
    new Promise((resolve, reject) => {
      wish.left.throwIfAborted()
      const leave = () => {
        waiting.delete(mine)
        reject(wish.left.reason)
      }
      const mine: Waiting = {
        wish,
        begin() {
          wish.left.removeEventListener('abort', leave)
          running.set(mine, wish.need)
          resolve(() => {
            running.delete(mine)
            fill()
          })
        },
      }
      wish.left.addEventListener('abort', leave, { once: true })
      waiting.add(mine)
      wish.onGrown?.(fill)
      fill()
    })
}

/** The wish of all who wait for the same window: as urgent as the most urgent of them, and left when all of them have. */
export interface SharedWish extends Wish {
  /** Answers with what ends the listening: the signal may live much longer than the wish. */
  join(need: Need, signal: AbortSignal | undefined): () => void
}

export function createSharedWish(): SharedWish {
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
