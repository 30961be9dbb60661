import type { Database, Db } from '../db/database.js'
import { run, sql } from '../db/fragment.js'
import { enqueue } from '../queue/enqueue.js'
import type { JobKind } from '../queue/job.js'
import type { Attempt } from './attempt.js'
import type { Claimed } from './claim.js'
import { daysOfFailure, delayAfter } from './schedule.js'

/** Tells the owners of a channel by mail that a webhook was switched off. */
export const webhookMail: JobKind<{ readonly site_id: string; readonly webhook_id: string }> = {
  name: 'mail-webhook',
  attempts: 8,
}

const keptAttempts = 20

/** Stores the result of an attempt: the end of the delivery, or the time of the next attempt. */
export async function record(database: Database, claimed: Claimed, attempt: Attempt): Promise<void> {
  if (attempt.error === null) return recordSuccess(database.db, claimed, attempt)
  await database.transaction((tx) => recordFailure(tx, claimed, attempt))
}

async function recordSuccess(db: Db, claimed: Claimed, attempt: Attempt): Promise<void> {
  const { site_id, webhook_id, _id } = claimed
  await run(
    db,
    sql`
    with delivered as (
      update webhook_deliveries set status = 'delivered', delivered_at = now(), next_attempt_at = null,
        ${lastAttempt(attempt)}
      where site_id = ${site_id} and webhook_id = ${webhook_id} and _id = ${_id}
    )
    update webhooks set last_delivered_at = now(), failing_since = null
    where site_id = ${site_id} and _id = ${webhook_id}
      and (failing_since is not null or last_delivered_at is null or last_delivered_at < now() - interval '1 minute')
  `,
  )
}

async function recordFailure(tx: Db, claimed: Claimed, attempt: Attempt): Promise<void> {
  const { site_id, webhook_id, _id, attempt_count } = claimed
  const isGone = attempt.response_status === 410
  const delay = isGone ? undefined : delayAfter(attempt_count + 1)
  await run(
    tx,
    sql`
    update webhook_deliveries set status = ${delay === undefined ? 'failed' : 'waiting'},
      next_attempt_at = now() + make_interval(secs => ${delay ?? null}), ${lastAttempt(attempt)}
    where site_id = ${site_id} and webhook_id = ${webhook_id} and _id = ${_id}
  `,
  )
  await tx`
    update webhooks set failing_since = now()
    where site_id = ${site_id} and _id = ${webhook_id} and failing_since is null
  `
  const [switchedOff] = await tx`
    update webhooks set active = false, updated_at = now(),
      switched_off_reason = ${isGone ? 'The receiver answered 410: it wants no more events.' : tooLong(attempt)}
    where site_id = ${site_id} and _id = ${webhook_id} and active
      and (${isGone} or failing_since < now() - make_interval(days => ${daysOfFailure}))
    returning _id
  `
  if (switchedOff) await enqueue(tx, webhookMail, { site_id, webhook_id }, { key: webhook_id })
}

const tooLong = ({ error }: Attempt) =>
  `Every delivery failed for ${daysOfFailure} days. The last error: ${error}`

const lastAttempt = ({ at, response_status, milliseconds, error }: Attempt) => sql`
  attempt_count = attempt_count + 1, response_status = ${response_status}, milliseconds = ${milliseconds},
  error = ${error}, updated_at = now(),
  attempts = (case when jsonb_array_length(attempts) >= ${keptAttempts} then attempts - 0 else attempts end)
    || ${JSON.stringify([{ at, response_status, milliseconds, error }])}::text::jsonb
`

/** Ends a delivery whose event is no longer kept. This says nothing about the receiver. */
export async function recordLost(db: Db, { site_id, webhook_id, _id }: Claimed): Promise<void> {
  await db`
    update webhook_deliveries set status = 'failed', next_attempt_at = null, updated_at = now(),
      error = 'The event is older than events are kept.'
    where site_id = ${site_id} and webhook_id = ${webhook_id} and _id = ${_id}
  `
}
