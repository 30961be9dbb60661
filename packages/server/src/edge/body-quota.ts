import { type ApiError, brokenOff, overloaded } from '../errors.js'

/** A queue of large bodies. A few are received at a time, so that many at once take neither the time nor the memory of others. */
export interface BodyLine {
  /** Resolves when it is the body's turn; rejects when the client has gone, as `whenGone` reports, or after a long wait. */
  enter(whenGone: (call: () => void) => void): Promise<BodyTurn>
}

export interface BodyTurn {
  /** The body has been received: it keeps its place until it has been parsed too. */
  keep(): void
  /** The next may begin. */
  leave(): void
}

const longestWaitMs = 10_000
/** Up to 64 kB of each have been read from its connection, and lie in memory meanwhile. */
const mostWaiting = 200

/** Receives `most` bodies at a time. One that takes longer than `momentMs` goes on, but no longer keeps others waiting. */
export function createBodyLine(most: number, momentMs: number): BodyLine {
  const waiting = new Set<() => void>()
  let receiving = 0

  function goOn(): void {
    const [next] = waiting
    if (receiving < most) next?.()
  }
  function begin(): BodyTurn {
    receiving += 1
    let isHeld = true
    const leave = () => {
      if (!isHeld) return
      isHeld = false
      clearTimeout(timer)
      receiving -= 1
      // Later, so that other requests come in between: a refused body leaves at once, and so would the next.
      if (waiting.size > 0) setImmediate(goOn)
    }
    const timer = setTimeout(leave, momentMs)
    return { keep: () => clearTimeout(timer), leave }
  }
  return {
    enter: (whenGone) =>
      new Promise((resolve, reject) => {
        if (receiving < most && waiting.size === 0) return resolve(begin())
        if (waiting.size >= mostWaiting) return reject(overloaded())
        const giveUp = (why: ApiError) => {
          waiting.delete(take)
          clearTimeout(timer)
          reject(why)
        }
        const take = () => {
          waiting.delete(take)
          clearTimeout(timer)
          resolve(begin())
        }
        const timer = setTimeout(() => giveUp(overloaded()), longestWaitMs)
        waiting.add(take)
        whenGone(() => giveUp(brokenOff()))
      }),
  }
}

/** The part of one body, from its first byte until its request is answered. */
export interface RoomShare {
  /** Adds bytes that have arrived. If all bodies together become too large, calls `giveWay` of the oldest unfinished one. */
  take(bytes: number): void
  /** Marks the body as complete: it no longer gives way to others. */
  keep(): void
  /** Frees the memory of the body. */
  leave(): void
}

/** The memory that bodies may take together, over all connections. */
export interface BodyRoom {
  enter(giveWay: () => void): RoomShare
}

/**
 * When the room is full, the oldest unfinished body gives way. Bodies of honest clients arrive quickly, so the oldest ones
 * are slow, and bodies that never end cannot keep the room full.
 */
export function createBodyRoom(mostBytes: number): BodyRoom {
  const receiving = new Map<RoomShare, () => void>()
  let held = 0

  function makeRoom(): void {
    for (const [share, giveWay] of receiving) {
      if (held <= mostBytes) return
      share.leave()
      giveWay()
    }
  }
  return {
    enter(giveWay) {
      let own = 0
      const share: RoomShare = {
        take(bytes) {
          own += bytes
          held += bytes
          if (held > mostBytes) makeRoom()
        },
        keep: () => void receiving.delete(share),
        leave() {
          receiving.delete(share)
          held -= own
          own = 0
        },
      }
      receiving.set(share, giveWay)
      return share
    },
  }
}
