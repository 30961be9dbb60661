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
