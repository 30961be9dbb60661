import { within } from './deadline.js'

/** When work counts as slow, how soon the database must then answer a ping, and how long to wait in total. */
export const usualPatience = { slowMs: 4000, answerMs: 2000, patienceMs: 30_000 }

/** Thrown and caught here: the work is slow, for any reason. */
class Slow extends Error {}

/**
 * Waits for work on the database. A frozen database returns neither results nor errors, so slow work is waited for only while
 * the database answers pings; otherwise `late()` is thrown. Pings use a connection of their own, because slow statements may
 * occupy all others.
 */
export async function whileAlive<T>(
  database: { ping(): Promise<void> },
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
