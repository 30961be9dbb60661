import type { Db } from '../db/database.js'
import { type Fragment, run, sql } from '../db/fragment.js'

/**
 * How a webhook has done so far. Each kind has room of its own among the deliveries that are sent at the same time, so
 * that receivers that do not answer, or answer slowly, never take the room of the others.
 */
export type Health = 'answering' | 'slow' | 'unknown' | 'failing'

/** How many deliveries one worker sends at the same time: in all, and to one webhook. */
export const room: Readonly<Record<Health, { readonly inAll: number; readonly each: number }>> = {
  answering: { inAll: 256, each: 32 },
  slow: { inAll: 64, each: 2 },
  unknown: { inAll: 256, each: 2 },
  failing: { inAll: 64, each: 1 },
}
/** And to one host, whatever webhooks name it. */
export const mostOfHost = 64

/** And for one channel, so that the webhooks of one never take all the room of others with the same health. */
export const mostOfChannel = (health: Health): number => room[health].inAll / 4

/** Names the deliveries that are counted together for this limit. */
export const channelRoom = ({ health, site_id }: Pick<Claimed, 'health' | 'site_id'>): string =>
  `${health} ${site_id}`

/** A worker that ended while it sent a delivery does not record the result: after this time it is sent again. */
const leaseSeconds = 30

export interface Claimed {
  readonly _id: string
  readonly site_id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly attempt_count: number
  /** When the lease ends. The claim is valid while the row has this time. */
  readonly next_attempt_at: Date
  readonly health: Health
  readonly url: string
  readonly host: string
  readonly sealed_secret: Uint8Array
  readonly previous_secret: Uint8Array | null
}

/** What this worker is sending: how many deliveries of each health, to each webhook and host, and for each channel. */
export interface Busy {
  readonly healths: ReadonlyMap<string, number>
  readonly webhooks: ReadonlyMap<string, number>
  readonly hosts: ReadonlyMap<string, number>
  /** By channelRoom. */
  readonly channels: ReadonlyMap<string, number>
  /** The webhooks that answer slowly. */
  readonly slow: readonly string[]
}

const counted = (counts: ReadonlyMap<string, number>): Fragment =>
  sql`unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::integer[]) as busy (name, sending)`

const healths = Object.keys(room) as Health[]

/**
 * Takes due deliveries for which there is room: the oldest of every webhook first, in turns, and first for channels for
 * which the fewest are being sent. It looks only at webhooks that have waiting deliveries: the index that orders these by
 * webhook is read from one webhook to the next.
 */
export async function claimDue(db: Db, busy: Busy): Promise<readonly Claimed[]> {
  const free = healths.map((health) => room[health].inAll - (busy.healths.get(health) ?? 0))
  return run<Claimed>(
    db,
    sql`
    with recursive earliest as (
      (
        select site_id, webhook_id, next_attempt_at from webhook_deliveries where status = 'waiting'
        order by site_id, webhook_id, next_attempt_at limit 1
      )
      union all
      select next.* from earliest cross join lateral (
        select site_id, webhook_id, next_attempt_at from webhook_deliveries
        where status = 'waiting' and (site_id, webhook_id) > (earliest.site_id, earliest.webhook_id)
        order by site_id, webhook_id, next_attempt_at limit 1
      ) as next
    ), receivers as (
      select webhooks.site_id, _id, host, case
          when failing_since is not null then 'failing'
          when last_delivered_at is null then 'unknown'
          when _id = any(${busy.slow}::text[]) then 'slow'
          else 'answering'
        end as health
      from earliest join webhooks on webhooks.site_id = earliest.site_id and _id = webhook_id
      where active and next_attempt_at <= now()
    ), due as (
      select receivers.site_id, receivers._id as webhook_id, waiting._id, host, health, free, of_channel,
        row_number() over (partition by receivers.site_id, receivers._id order by next_attempt_at)
          + coalesce(sending, 0) as place
      from receivers
      join unnest(
        ${healths}::text[], ${healths.map((health) => room[health].each)}::integer[], ${free}::integer[],
        ${healths.map(mostOfChannel)}::integer[]
      ) as rooms (health, most, free, of_channel) using (health)
      left join ${counted(busy.webhooks)} on name = receivers._id
      cross join lateral (
        select _id, next_attempt_at from webhook_deliveries
        where site_id = receivers.site_id and webhook_id = receivers._id
          and status = 'waiting' and next_attempt_at <= now()
        order by next_attempt_at limit greatest(least(most - coalesce(sending, 0), free), 0)
      ) as waiting
    ), of_hosts as (
      select due.*, row_number() over (partition by host order by place) + coalesce(sending, 0) as place_at_host
      from due left join ${counted(busy.hosts)} on name = host
    ), of_channels as (
      select of_hosts.*,
        row_number() over (partition by health, site_id order by place) + coalesce(sending, 0) as place_in_channel
      from of_hosts left join ${counted(busy.channels)} on name = health || ' ' || site_id
      where place_at_host <= ${mostOfHost}
    ), fitting as (
      select of_channels.*, row_number() over (partition by health order by place_in_channel, place) as place_in_room
      from of_channels where place_in_channel <= of_channel
    ), chosen as (
      select webhook_deliveries.site_id, webhook_deliveries.webhook_id, webhook_deliveries._id, health
      from fitting join webhook_deliveries using (site_id, webhook_id, _id)
      where place_in_room <= free and status = 'waiting' and next_attempt_at <= now()
      for update of webhook_deliveries skip locked
    )
    update webhook_deliveries set next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    from chosen, webhooks
    where webhook_deliveries.site_id = chosen.site_id and webhook_deliveries.webhook_id = chosen.webhook_id
      and webhook_deliveries._id = chosen._id
      and webhooks.site_id = chosen.site_id and webhooks._id = chosen.webhook_id
    returning webhook_deliveries._id, webhook_deliveries.site_id, webhook_deliveries.webhook_id, event_id, attempt_count,
      next_attempt_at, health, url, host, sealed_secret, case when previous_secret_until > now() then previous_secret end as previous_secret,
      set_config('synchronous_commit', 'off', true)
  `,
  )
}

/** Gives a delivery back that was not sent, so that another worker need not wait for the end of the lease. */
export async function putBack(db: Db, { site_id, webhook_id, _id, next_attempt_at }: Claimed): Promise<void> {
  await db`
    update webhook_deliveries set next_attempt_at = now()
    where site_id = ${site_id} and webhook_id = ${webhook_id} and _id = ${_id}
      and status = 'waiting' and next_attempt_at = ${next_attempt_at}
  `
}
