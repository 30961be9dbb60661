import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import type { Values } from '../../resources/store.js'

interface PeriodStart {
  readonly site_id: string
  readonly plan_id: string
  /** When the period begins. */
  readonly start: string
}

/** Returns the terms that a subscription copies from its plan, and the end of the period. */
export async function termsOf(db: Db, { site_id, plan_id, start }: PeriodStart): Promise<Values> {
  const [terms] = await db<Values[]>`
    select name as plan_name, amount, currency, interval, interval_count, trial_period_days,
      case interval when 'month' then ${start}::timestamptz + make_interval(months => interval_count)
                    when 'year' then ${start}::timestamptz + make_interval(years => interval_count)
      end as current_period_end_at
    from plans where site_id = ${site_id} and _id = ${plan_id}
  `
  if (!terms) throw notFound('plan')
  return terms
}

/** Rejects a start and an end given together: the plan determines the other one. */
export function checkPeriod({ body }: Call): void {
  if (typeof body.current_period_start_at === 'string' && typeof body.current_period_end_at === 'string')
    throw invalid('Give current_period_start_at or current_period_end_at, not both.', {
      current_period_end_at: ['cannot be given together with current_period_start_at'],
    })
}
