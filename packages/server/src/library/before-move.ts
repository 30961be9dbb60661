import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/database.js'
import type { OpenedPlaces, TwoPlaces } from '../storage/two-places.js'
import type { MoveNames } from './moves.js'
import { hostsWithout } from './storage-users.js'
import { libraryTrouble } from './trouble.js'

/** Longer than a process that has ended is believed to run. */
const longestWaitMs = 40_000

/** What to move, or the sentence that says why nothing can be moved now. */
export async function readyToMove(
  db: Db,
  places: OpenedPlaces,
  waitMs = longestWaitMs,
): Promise<{ places: TwoPlaces; names: MoveNames } | string> {
  const { current, old, moving } = places
  if (!old || !moving) return `There is nothing to move: all films are in ${current.name}.`
  const trouble = await libraryTrouble(db, places)
  if (trouble) return trouble
  const begun = performance.now()
  for (;;) {
    const hosts = await hostsWithout(db, current.name)
    if (hosts.length === 0) return { places: moving, names: { from: old.name, to: current.name } }
    if (performance.now() - begun > waitMs)
      return `A server or worker on ${hosts.join(', ')} does not keep films in ${current.name} yet and would miss what is moved. Give it the same settings, start it again, and repeat this command.`
    await delay(Math.min(1000, waitMs))
  }
}
