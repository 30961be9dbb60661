import type { Database } from '../db/database.js'
import { within } from '../lib/deadline.js'

/** When work counts as slow, how soon the database has to answer then, and how long it is waited for in all. */
export const usualPatience = { slowMs: 4000, answerMs: 2000, patienceMs: 30_000 }

/** Thrown and caught here: the work is slow, for whatever reason. */
class Slow extends Error {}

/**
 * A database that is frozen answers nothing, not even that it is late. So work that takes long is waited for only while
 * the database answers other questions; `late()` is thrown when it does not. It is asked on a connection of its own, because
 * slow statements may hold all others.
 */
export async function whileAlive<T>(
  database: Pick<Database, 'ping'>,
  work: Promise<T>,
  late: () => Error,
  { slowMs, answerMs, patienceMs } = usualPatience,
): Promise<T> {
  try {
    return await within(slowMs, work, () => new Slow())
  } catch (error) {
    if (!(error instanceof Slow)) throw error
    await within(answerMs, database.ping(), late)
    return within(patienceMs, work, late)
  }
}
