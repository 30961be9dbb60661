import type { Db } from '../db/database.js'
import { within } from '../lib/deadline.js'

const slowMs = 4000
const answerMs = 2000
const patienceMs = 30_000

/** Thrown and caught here: the work is slow, for whatever reason. */
class Slow extends Error {}

/**
 * A database that is frozen answers nothing, not even that it is late. So work that takes long is waited for only while
 * the database answers other questions; `late()` is thrown when it does not.
 */
export async function whileAlive<T>(db: Db, work: Promise<T>, late: () => Error): Promise<T> {
  try {
    return await within(slowMs, work, () => new Slow())
  } catch (error) {
    if (!(error instanceof Slow)) throw error
    await within(answerMs, db`select 1`.execute(), late)
    return within(patienceMs, work, late)
  }
}
