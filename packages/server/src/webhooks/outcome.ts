import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Db } from '../db/database.js'
import { run, sql } from '../db/fragment.js'
import { enqueue } from '../queue/enqueue.js'
import type { JobKind } from '../queue/job.js'
import type { Attempt } from './attempt.js'
import type { Claimed } from './room.js'
import { daysOfFailure, delayAfter } from './schedule.js'

/** Tells an owner of a channel by mail that a webhook was switched off. */
export const webhookMail: JobKind<{
  readonly site_id: string
  readonly webhook_id: string
  readonly publisher_id: string
}> = {
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
/** A result whose row is locked is tried so often, with a pause before each, while others are stored. */
const mostTries = 20
const pauseMs = 250

interface UnstoredOutcome extends Outcome {
  readonly tries: number
}

/**
 * Stores results: the end of a delivery, or the time of its next attempt. Those that arrive while others are being stored
 * are stored together. What could not be stored is sent again when its lease ends. Calls `onHealth` when webhooks begin to
 * answer, or to fail.
 */
export function createRecorder(
  database: Database,
  onError: (error: unknown) => void,
  onHealth: () => void = () => {},
): Recorder {
  const waiting: UnstoredOutcome[] = []
  const pausing = new Set<Promise<void>>()
  let storing: Promise<void> | undefined

  const add = (outcome: UnstoredOutcome) => {
    waiting.push(outcome)
    storing ??= store()
  }
  const addLater = (outcome: UnstoredOutcome) => {
    if (outcome.tries >= mostTries)
      return onError(
        new Error(`The result of delivery ${outcome.claimed._id} could not be stored: it is locked.`),
      )
    const pause = delay(pauseMs).then(() => {
      pausing.delete(pause)
      add({ ...outcome, tries: outcome.tries + 1 })
    })
    pausing.add(pause)
  }
  const storeSome = async (outcomes: readonly UnstoredOutcome[]) => {
    const { locked, isHealthChanged } = await storeOutcomes(database, outcomes)
    for (const outcome of locked) addLater(outcome)
    if (isHealthChanged) onHealth()
  }
  const store = async () => {
    while (waiting.length > 0) {
      const outcomes = waiting.splice(0, mostAtOnce)
      await storeSome(outcomes).catch(async (error) => {
        if (outcomes.length === 1) return onError(error)
        // One of them may be wrong, which is no reason to lose the others.
        for (const outcome of outcomes) await storeSome([outcome]).catch(onError)
      })
    }
    storing = undefined
  }
  return {
    add: (outcome) => add({ ...outcome, tries: 0 }),
    async settled() {
      while (storing || pausing.size > 0) await Promise.all([storing, ...pausing])
    },
  }
}

const isGone = ({ attempt }: Outcome) => attempt?.response_status === 410
const hasSucceeded = ({ attempt }: Outcome) => attempt?.error === null
const hasFailed = ({ attempt }: Outcome) => typeof attempt?.error === 'string'

const keyOf = ({ site_id, webhook_id, _id }: Pick<Claimed, 'site_id' | 'webhook_id' | '_id'>) =>
  `${site_id} ${webhook_id} ${_id}`

/** Stores results of deliveries whose claim is still valid. Returns those that somebody else has locked. */
async function storeOutcomes<T extends Outcome>(
  database: Database,
  outcomes: readonly T[],
): Promise<{ readonly locked: readonly T[]; readonly isHealthChanged: boolean }> {
  const { stored, locked } = await unhurried(database, async (tx) => {
    const keys = await lockDeliveries(tx, outcomes)
    const ofState = (state: LockedDelivery['state']) =>
      outcomes.filter(({ claimed }) => keys.get(keyOf(claimed)) === state)
    const stored = ofState('ours')
    if (stored.length > 0) await storeDeliveries(tx, stored)
    return { stored, locked: ofState('locked') }
  })
  const successes = stored.filter(hasSucceeded)
  const failures = stored.filter(hasFailed)
  // In a transaction of its own, without webhooks that somebody else has locked: their next result is noted.
  if (successes.length + failures.length > 0)
    await unhurried(database, async (tx) => {
      if (successes.length > 0) await noteSuccesses(tx, successes)
      if (failures.length > 0) await noteFailures(tx, failures)
    })
  const isHealthChanged =
    successes.some(({ claimed }) => !isAnswering(claimed)) ||
    failures.some(({ claimed }) => isAnswering(claimed))
  return { locked, isHealthChanged }
}

/** A lost result only means that an event is sent twice, so nobody waits until it is on the disk, nor long for a lock. */
const unhurried = <T>(database: Database, work: (tx: Db) => Promise<T>): Promise<T> =>
  database.transaction(async (tx) => {
    await tx`select set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '1s', true)`
    return work(tx)
  })

const isAnswering = ({ health }: Claimed) => health === 'answering' || health === 'slow'

interface LockedDelivery extends Pick<Claimed, 'site_id' | 'webhook_id' | '_id'> {
  readonly state: 'ours' | 'locked'
}

/**
 * Locks the deliveries of these results that nobody else has locked. A delivery that has ended, or was claimed or put back
 * since, is in neither state: the result of an old claim must not change it.
 */
async function lockDeliveries(
  tx: Db,
  outcomes: readonly Outcome[],
): Promise<Map<string, LockedDelivery['state']>> {
  const claims = outcomes.map(({ claimed: { ctid, _id, next_attempt_at } }) => ({
    ctid,
    _id,
    next_attempt_at,
  }))
  const rows = await tx<LockedDelivery[]>`
    with claims as materialized (
      select delivery.ctid as place, delivery.site_id, delivery.webhook_id, delivery._id, delivery.next_attempt_at
      from jsonb_to_recordset(${JSON.stringify(claims)}::text::jsonb) as claim (
        ctid tid, _id text, next_attempt_at timestamptz
      )
      join webhook_deliveries as delivery on delivery.ctid = claim.ctid and delivery._id = claim._id
        and delivery.next_attempt_at = claim.next_attempt_at
      where status = 'waiting'
    ), ours as materialized (
      select delivery.site_id, delivery.webhook_id, delivery._id
      from claims join webhook_deliveries as delivery on delivery.ctid = place and delivery._id = claims._id
        and delivery.next_attempt_at = claims.next_attempt_at
      where status = 'waiting'
      order by delivery.site_id, delivery.webhook_id, delivery._id
      for update of delivery skip locked
    )
    select claim.site_id, claim.webhook_id, claim._id, case when ours._id is null then 'locked' else 'ours' end as state
    from claims as claim left join ours using (site_id, webhook_id, _id)
  `
  return new Map(rows.map((row) => [keyOf(row), row.state]))
}

function rowOf(outcome: Outcome) {
  const { claimed, attempt } = outcome
  const { ctid, attempt_count } = claimed
  const delay = hasFailed(outcome) && !isGone(outcome) ? delayAfter(attempt_count + 1) : undefined
  const status = hasSucceeded(outcome) ? 'delivered' : delay === undefined ? 'failed' : 'waiting'
  const { error = 'The event is older than events are kept.', ...facts } = attempt ?? {}
  return { ctid, status, delay, error, ...facts }
}

/** Stores results of deliveries that are locked. */
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
      ctid tid, status text, delay double precision, error text, at text, response_status integer, milliseconds integer
    )
    where delivery.ctid = result.ctid
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
    update webhooks set last_delivered_at = now(), failing_since = null, failing_days = 0, last_failed_on = null
    from (
      select webhooks.site_id, _id
      from jsonb_to_recordset(${webhooksOf(outcomes)}::text::jsonb) as result (site_id text, webhook_id text)
      join webhooks on webhooks.site_id = result.site_id and _id = webhook_id
      where failing_since is not null or last_delivered_at is null or last_delivered_at < now() - interval '1 minute'
      order by webhooks.site_id, _id for no key update of webhooks skip locked
    ) as answering
    where webhooks.site_id = answering.site_id and webhooks._id = answering._id
  `
}

/** Notes since when webhooks fail, and switches off those that want no more or have failed for too long. */
async function noteFailures(tx: Db, outcomes: readonly Outcome[]): Promise<void> {
  const noted = await tx<{ site_id: string; webhook_id: string; is_off: boolean }[]>`
    update webhooks set failing_since = coalesce(failing_since, now()), failing_days = days, last_failed_on = current_date,
      active = active and not is_off, updated_at = case when is_off then now() else updated_at end,
      switched_off_reason = case
        when not is_off then switched_off_reason
        when is_gone then 'The receiver answered 410: it wants no more events.'
        else ${`Every delivery failed for ${daysOfFailure} days. The last error: `}::text || error
      end
    from (
      select webhooks.site_id, _id, is_gone, error, days, active and (is_gone or (
        days >= ${daysOfFailure} and coalesce(failing_since < now() - make_interval(days => ${daysOfFailure}), false)
      )) as is_off
      from jsonb_to_recordset(${webhooksOf(outcomes)}::text::jsonb) as result (
        site_id text, webhook_id text, is_gone boolean, error text
      )
      join webhooks on webhooks.site_id = result.site_id and _id = webhook_id
      cross join lateral (
        select failing_days + (last_failed_on is distinct from current_date)::integer as days
      ) as counted
      order by webhooks.site_id, _id for no key update of webhooks skip locked
    ) as failing
    where webhooks.site_id = failing.site_id and webhooks._id = failing._id
      and (failing_since is null or last_failed_on is distinct from current_date or is_off)
    returning webhooks.site_id, webhooks._id as webhook_id, is_off
  `
  for (const { site_id, webhook_id, is_off } of noted) if (is_off) await mailOwners(tx, site_id, webhook_id)
}

/** A job for each owner, so that a mail that fails is tried again without sending the others twice. */
async function mailOwners(tx: Db, site_id: string, webhook_id: string): Promise<void> {
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
