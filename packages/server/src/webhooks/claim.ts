import type { Db } from '../db/database.js'
import { chooseInTurns, type Health, type Place, room } from './room.js'

/** A worker that ended while it sent a delivery does not store the result: after this time it is sent again. */
const leaseSeconds = 30

/**
 * How many deliveries of a channel are made in one step. Few for webhooks that may not answer, so that what is done for the others
 * never waits long for a processor.
 */
const mostDispatched = { first: 2000, later: 200 }

export interface Claimed extends Place {
  /**
   * Where the row is in the table. Rows are found by it, because while PostgreSQL has no statistics, it takes another index for
   * as good as that of the primary key, and reads all deliveries of a webhook to find one.
   */
  readonly ctid: string
  readonly _id: string
  readonly event_id: string
  readonly attempt_count: number
  /** When the lease ends. The claim is valid while the row has this time. */
  readonly next_attempt_at: Date
  readonly url: string
  readonly sealed_secret: Uint8Array
  readonly previous_secret: Uint8Array | null
}

type Due = Place & Pick<Claimed, 'ctid' | '_id' | 'event_id'>

/** What this worker is doing, and what it knows about receivers. */
export interface Business {
  readonly sending: readonly Place[]
  /** The webhooks that answer slowly. */
  readonly slow: readonly string[]
  /** The webhooks that failed a moment ago, and are not sent anything yet. */
  readonly resting: readonly string[]
}

/**
 * Makes deliveries of some queued events: first for webhooks that answer, later for the others. Returns whether there were any, and
 * whether there are more. A crash may undo it as a whole.
 */
export async function dispatchEvents(db: Db, turn: keyof typeof mostDispatched) {
  const [row] = await db<{ is_some: boolean; is_more: boolean }[]>`
    select dispatched.*, set_config('synchronous_commit', 'off', true)
    from dispatch_events(${turn === 'later'}, ${mostDispatched[turn]}) as dispatched
  `
  return { isSome: row?.is_some ?? false, isMore: row?.is_more ?? false }
}

/**
 * Chooses at most so many due deliveries for which there is room, to receivers with one of these healths. Also returns the
 * healths of receivers that have more.
 */
export async function chooseDue(
  db: Db,
  healths: readonly Health[],
  { sending, slow, resting }: Business,
  most: number,
): Promise<{ readonly chosen: readonly Due[]; readonly full: ReadonlySet<Health> }> {
  // One more than there is ever room for: it tells that the webhook has more.
  const mostEach = healths.map((health) => room[health].webhook + 1)
  const due = await db<Due[]>`
    select * from due_deliveries(${[...slow]}, ${[...resting]}, ${[...healths]}, ${mostEach})
  `
  const chosen = chooseInTurns(due, sending).slice(0, most)
  const isChosen = new Set(chosen)
  return { chosen, full: new Set(due.flatMap((one) => (isChosen.has(one) ? [] : [one.health]))) }
}

/** Takes those of the deliveries that no other worker has taken meanwhile. */
export async function claim(db: Db, chosen: readonly Due[]): Promise<readonly Claimed[]> {
  const rows = await db<Omit<Claimed, 'health'>[]>`
    with free as (
      select ctid, site_id, webhook_id from webhook_deliveries
      where ctid = any(${chosen.map(({ ctid }) => ctid)}::text[]::tid[]) and _id = any(${chosen.map(({ _id }) => _id)}::text[])
        and status = 'waiting' and next_attempt_at <= now()
      for update skip locked
    )
    update webhook_deliveries as delivery set next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    from free, webhooks
    where delivery.ctid = free.ctid and webhooks.site_id = free.site_id and webhooks._id = free.webhook_id
    returning delivery.ctid::text, delivery._id, delivery.site_id, delivery.webhook_id, event_id, attempt_count,
      next_attempt_at, url, host, sealed_secret, case when previous_secret_until > now() then previous_secret end as previous_secret,
      set_config('synchronous_commit', 'off', true)
  `
  const healthOf = new Map(chosen.map(({ webhook_id, health }) => [webhook_id, health]))
  return rows.map((row) => ({ ...row, health: healthOf.get(row.webhook_id) ?? 'new' }))
}

/** Gives a delivery back that was not sent, so that another worker need not wait for the end of the lease. */
export async function putBack(db: Db, { ctid, _id, next_attempt_at }: Claimed): Promise<void> {
  await db`
    update webhook_deliveries set next_attempt_at = now()
    where ctid = ${ctid}::text::tid and _id = ${_id} and status = 'waiting' and next_attempt_at = ${next_attempt_at}
  `
}
