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

/** The result of an attempt. There is none if the event is no longer kept, which says nothing about the receiver. */
export interface Outcome {
  readonly claimed: Claimed
  readonly attempt: Attempt | undefined
}

export interface Recorder {
  add(outcome: Outcome): void
  /** Resolves once everything is stored. */
  settled(): Promise<void>
}

const keptAttempts = 20
const mostAtOnce = 200

/**
 * Stores results: the end of a delivery, or the time of its next attempt. Those that arrive while others are being stored
 * are stored together. What could not be stored is sent again when its lease ends.
 */
export function createRecorder(database: Database, onError: (error: unknown) => void): Recorder {
  const waiting: Outcome[] = []
  let storing: Promise<void> | undefined
  const store = async () => {
    while (waiting.length > 0) {
      const outcomes = waiting.splice(0, mostAtOnce)
      await database.transaction((tx) => storeOutcomes(tx, outcomes)).catch(onError)
    }
    storing = undefined
  }
  return {
    add(outcome) {
      waiting.push(outcome)
      storing ??= store()
    },
    async settled() {
      await storing
    },
  }
}

const isGone = ({ attempt }: Outcome) => attempt?.response_status === 410
const hasSucceeded = ({ attempt }: Outcome) => attempt?.error === null
const hasFailed = ({ attempt }: Outcome) => typeof attempt?.error === 'string'

async function storeOutcomes(tx: Db, outcomes: readonly Outcome[]): Promise<void> {
  await storeDeliveries(tx, outcomes)
  const successes = outcomes.filter(hasSucceeded)
  if (successes.length > 0) await noteSuccesses(tx, successes)
  const failures = outcomes.filter(hasFailed)
  if (failures.length > 0) await noteFailures(tx, failures)
}

function rowOf(outcome: Outcome) {
  const { claimed, attempt } = outcome
  const { site_id, webhook_id, _id, attempt_count } = claimed
  const delay = hasFailed(outcome) && !isGone(outcome) ? delayAfter(attempt_count + 1) : undefined
  const status = hasSucceeded(outcome) ? 'delivered' : delay === undefined ? 'failed' : 'waiting'
  const { error = 'The event is older than events are kept.', ...facts } = attempt ?? {}
  return { site_id, webhook_id, _id, status, delay, error, ...facts }
}

/** A lost result only means that an event is sent twice, so nobody waits until it is on the disk. */
async function storeDeliveries(tx: Db, outcomes: readonly Outcome[]): Promise<void> {
  await run(
    tx,
    sql`
    update webhook_deliveries as delivery set
      status = result.status, next_attempt_at = now() + make_interval(secs => result.delay), updated_at = now(),
      delivered_at = case when result.status = 'delivered' then now() else delivered_at end,
      response_status = result.response_status, milliseconds = result.milliseconds, error = result.error,
      attempt_count = attempt_count + case when at is null then 0 else 1 end,
      attempts = case when at is null then attempts else
        (case when jsonb_array_length(attempts) >= ${keptAttempts} then attempts - 0 else attempts end)
          || jsonb_build_array(jsonb_build_object(
            'at', at, 'response_status', result.response_status, 'milliseconds', result.milliseconds, 'error', result.error
          ))
        end
    from jsonb_to_recordset(${JSON.stringify(outcomes.map(rowOf))}::text::jsonb) as result (
      site_id text, webhook_id text, _id text, status text, delay double precision, error text, at text,
      response_status integer, milliseconds integer
    )
    where delivery.site_id = result.site_id and delivery.webhook_id = result.webhook_id and delivery._id = result._id
    returning set_config('synchronous_commit', 'off', true)
  `,
  )
}

/** The webhooks of outcomes as JSON, each once: with an answer of 410 if there was one, else with the last error. */
function webhooksOf(outcomes: readonly Outcome[]): string {
  const sorted = [...outcomes].sort((a, b) => Number(isGone(a)) - Number(isGone(b)))
  const webhooks = new Map(
    sorted.map((outcome) => {
      const { site_id, webhook_id } = outcome.claimed
      return [webhook_id, { site_id, webhook_id, is_gone: isGone(outcome), error: outcome.attempt?.error }]
    }),
  )
  return JSON.stringify([...webhooks.values()])
}

async function noteSuccesses(tx: Db, outcomes: readonly Outcome[]): Promise<void> {
  await tx`
    update webhooks set last_delivered_at = now(), failing_since = null
    from jsonb_to_recordset(${webhooksOf(outcomes)}::text::jsonb) as result (site_id text, webhook_id text)
    where webhooks.site_id = result.site_id and _id = webhook_id
      and (failing_since is not null or last_delivered_at is null or last_delivered_at < now() - interval '1 minute')
  `
}

/** Notes since when webhooks fail, and switches off those that want no more or have failed for too long. */
async function noteFailures(tx: Db, outcomes: readonly Outcome[]): Promise<void> {
  const results = webhooksOf(outcomes)
  await tx`
    update webhooks set failing_since = now()
    from jsonb_to_recordset(${results}::text::jsonb) as result (site_id text, webhook_id text)
    where webhooks.site_id = result.site_id and _id = webhook_id and failing_since is null
  `
  const switchedOff = await tx<{ site_id: string; webhook_id: string }[]>`
    update webhooks set active = false, updated_at = now(), switched_off_reason = case
      when is_gone then 'The receiver answered 410: it wants no more events.'
      else ${`Every delivery failed for ${daysOfFailure} days. The last error: `}::text || error
    end
    from jsonb_to_recordset(${results}::text::jsonb) as result (
      site_id text, webhook_id text, is_gone boolean, error text
    )
    where webhooks.site_id = result.site_id and _id = webhook_id and active
      and (is_gone or failing_since < now() - make_interval(days => ${daysOfFailure}))
    returning webhooks.site_id, _id as webhook_id
  `
  for (const { site_id, webhook_id } of switchedOff)
    await enqueue(tx, webhookMail, { site_id, webhook_id }, { key: webhook_id })
}
