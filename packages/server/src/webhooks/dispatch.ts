import type { Db } from '../db/database.js'

const mostEvents = 500
/**
 * An event becomes a delivery for each webhook of its channel, so the deliveries are what takes time. Few at a time for those
 * that do not answer, so that what is done for the others never waits long for a processor.
 */
const mostDeliveries = { first: 2000, later: 200 }

export interface Dispatched {
  /** Whether there may be more in the queue. */
  readonly isMore: boolean
  /** Whether there were events. */
  readonly isSome: boolean
  /** Whether the other lane has something to do: events that remain, or deliveries for webhooks that answer now. */
  readonly isForOthers: boolean
}

/**
 * Makes deliveries of some queued events: first only for webhooks that answer, later for the others. So those that answer
 * do not wait until a hundred dead ones have theirs. A crash may undo it as a whole.
 */
export async function dispatchEvents(db: Db, isLater: boolean): Promise<Dispatched> {
  const [row] = await db<{ taken: number; remaining: number; is_more: boolean }[]>`
    select dispatched.*, set_config('synchronous_commit', 'off', true)
    from dispatch_events(${isLater}, ${mostEvents}, ${isLater ? mostDeliveries.later : mostDeliveries.first}) as dispatched
  `
  const { taken = 0, remaining = 0, is_more = false } = row ?? {}
  return { isSome: taken > 0, isMore: taken > 0 && is_more, isForOthers: remaining > 0 }
}
