import type { Db } from '../db/database.js'
import { run, sql } from '../db/fragment.js'
import type { Busy } from './in-flight.js'
import { type Claimed, type Due, type Health, room } from './room.js'
import { chooseInTurns, countBy } from './turns.js'

/** A worker that ended while it sent a delivery does not record the result: after this time it is sent again. */
const leaseSeconds = 30

/** Chooses due deliveries of webhooks with one of these healths for which there is room, in turns. */
export async function chooseDue(db: Db, healths: readonly Health[], busy: Busy): Promise<readonly Due[]> {
  const counts = countBy(busy.sending, ({ webhook_id }) => webhook_id)
  const due = await db<Due[]>`
    select * from due_deliveries(
      ${[...healths]}, ${healths.map((health) => room[health].each)}, ${[...busy.slow]}, ${[...busy.resting]},
      ${[...counts.keys()]}, ${[...counts.values()]}
    )
  `
  return chooseInTurns(due, busy)
}

/** Takes those of the deliveries that no other worker has taken meanwhile. */
export async function claim(db: Db, chosen: readonly Due[]): Promise<readonly Claimed[]> {
  const rows = await run<Omit<Claimed, 'health'>>(
    db,
    sql`
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
  `,
  )
  const healths = new Map(chosen.map(({ webhook_id, health }) => [webhook_id, health]))
  return rows.map((row) => ({ ...row, health: healths.get(row.webhook_id) ?? 'unknown' }))
}

/** Gives a delivery back that was not sent, so that another worker need not wait for the end of the lease. */
export async function putBack(db: Db, { site_id, webhook_id, _id, next_attempt_at }: Claimed): Promise<void> {
  await db`
    update webhook_deliveries set next_attempt_at = now()
    where site_id = ${site_id} and webhook_id = ${webhook_id} and _id = ${_id}
      and status = 'waiting' and next_attempt_at = ${next_attempt_at}
  `
}
