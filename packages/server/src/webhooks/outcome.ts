import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Db } from '../db/database.js'
import { enqueue } from '../queue/enqueue.js'
import type { JobKind } from '../queue/job.js'
import type { Attempt } from './attempt.js'
import type { Claimed } from './claim.js'
import { daysOfFailure, delayAfter } from './schedule.js'

/** Tells an owner of a channel by mail that a webhook was switched off. */
export const webhookMail: JobKind<{
  readonly site_id: string
  readonly webhook_id: string
  readonly publisher_id: string
}> = {
  name: 'mail-webhook',
  attempts: 8,
  reachesOut: true,
}

const keptAttempts = 20
/** The pause before a result is stored again whose row somebody else has locked. */
const pauseMs = 250
const goneStatus = 410

/**
 * Stores the result of an attempt: the end of a delivery, or the time of its next attempt. There is no result if the event is
 * no longer kept, which says nothing about the receiver. The result of a claim that is no longer valid changes nothing.
 */
export async function storeOutcome(
  database: Database,
  claimed: Claimed,
  result: Attempt | undefined,
): Promise<void> {
  while (!(await storeDelivery(database.db, claimed, result))) {
    if (!(await isClaimed(database.db, claimed))) return
    await delay(pauseMs)
  }
  if (result?.error === null) await noteSuccess(database.db, claimed)
  else if (result) await database.transaction((tx) => noteFailure(tx, claimed, result))
}

/**
 * Returns false if the claim is no longer valid, or the row is locked: waiting for it would keep a connection. A lost result
 * only means that an event is sent twice, so nobody waits until it is on the disk.
 */
async function storeDelivery(db: Db, claimed: Claimed, result: Attempt | undefined): Promise<boolean> {
  const {
    response_status = null,
    milliseconds = null,
    error = 'The event is older than events are kept.',
  } = result ?? {}
  const attempts = result ? [result] : []
  const hasMore = result && error !== null && response_status !== goneStatus
  const nextAfter = hasMore ? delayAfter(claimed.attempt_count + 1) : undefined
  const status = error === null ? 'delivered' : nextAfter === undefined ? 'failed' : 'waiting'
  const { count } = await db`
    with ours as (
      select ctid from webhook_deliveries
      where ctid = ${claimed.ctid}::text::tid and _id = ${claimed._id} and status = 'waiting'
        and next_attempt_at = ${claimed.next_attempt_at}
      for update skip locked
    )
    update webhook_deliveries as delivery set
      status = ${status}, next_attempt_at = now() + make_interval(secs => ${nextAfter ?? null}), updated_at = now(),
      delivered_at = case when ${error === null} then now() else delivered_at end,
      response_status = ${response_status}, milliseconds = ${milliseconds}, error = ${error},
      attempt_count = attempt_count + ${attempts.length}::integer,
      attempts = case when jsonb_array_length(attempts) + ${attempts.length}::integer > ${keptAttempts} then attempts - 0 else attempts end
        || ${JSON.stringify(attempts)}::text::jsonb
    from ours where delivery.ctid = ours.ctid
    returning set_config('synchronous_commit', 'off', true)
  `
  return count > 0
}

async function isClaimed(db: Db, { ctid, _id, next_attempt_at }: Claimed): Promise<boolean> {
  const { count } = await db`
    select from webhook_deliveries
    where ctid = ${ctid}::text::tid and _id = ${_id} and status = 'waiting' and next_attempt_at = ${next_attempt_at}
      and next_attempt_at > now()
  `
  return count > 0
}

/** Without waiting for a webhook that somebody else has locked: its next result is noted. */
async function noteSuccess(db: Db, { site_id, webhook_id }: Claimed): Promise<void> {
  await db`
    update webhooks set last_delivered_at = now(), failing_since = null, failing_days = 0, last_failed_on = null
    from (
      select site_id, _id from webhooks where site_id = ${site_id} and _id = ${webhook_id}
        and (failing_since is not null or last_delivered_at is null or last_delivered_at < now() - interval '1 minute')
      for no key update skip locked
    ) as answering
    where webhooks.site_id = answering.site_id and webhooks._id = answering._id
    returning set_config('synchronous_commit', 'off', true)
  `
}

/** Notes since when a webhook fails, and switches it off if it wants no more or has failed for too long. */
async function noteFailure(
  tx: Db,
  { site_id, webhook_id }: Claimed,
  { response_status, error }: Attempt,
): Promise<void> {
  const isGone = response_status === goneStatus
  const reason = isGone
    ? 'The receiver answered 410: it wants no more events.'
    : `Every delivery failed for ${daysOfFailure} days. The last error: ${error}`
  const [noted] = await tx<{ is_off: boolean }[]>`
    update webhooks set failing_since = coalesce(failing_since, now()), failing_days = days, last_failed_on = current_date,
      active = active and not is_off, updated_at = case when is_off then now() else updated_at end,
      switched_off_reason = case when is_off then ${reason} else switched_off_reason end
    from (
      select site_id, _id, days, active and (${isGone} or (
        days >= ${daysOfFailure} and coalesce(failing_since < now() - make_interval(days => ${daysOfFailure}), false)
      )) as is_off
      from webhooks cross join lateral (
        select failing_days + (last_failed_on is distinct from current_date)::integer as days
      ) as counted
      where site_id = ${site_id} and _id = ${webhook_id}
      for no key update of webhooks skip locked
    ) as failing
    where webhooks.site_id = failing.site_id and webhooks._id = failing._id
      and (failing_since is null or last_failed_on is distinct from current_date or is_off)
    returning is_off
  `
  if (!noted?.is_off) return
  // A job for each owner, so that a mail that fails is tried again without sending the others twice.
  const owners = await tx<{ publisher_id: string }[]>`
    select publisher_id from memberships where site_id = ${site_id} and role = 'owner'
  `
  for (const { publisher_id } of owners)
    await enqueue(
      tx,
      webhookMail,
      { site_id, webhook_id, publisher_id },
      { key: `${webhook_id} ${publisher_id}` },
    )
}
