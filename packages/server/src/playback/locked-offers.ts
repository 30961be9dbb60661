import type { PlayerRecord } from './videos.js'

/** A plan that is offered to viewers. */
export interface OfferedPlan {
  readonly name: string
  readonly amount: string
  readonly currency: string
  readonly interval: 'month' | 'year' | 'lifetime'
  readonly interval_count: number
  readonly trial_period_days: number
}

/** A pass that is offered to viewers. */
export interface OfferedPass {
  readonly name: string
  readonly amount: string
  readonly currency: string
  /** Days; null for no limit. */
  readonly duration: number | null
}

/** A way to get access, with its price. */
export interface LockedOffer {
  readonly name: string
  readonly price: string
}

/** The days of a rental if the video does not say. */
const usualDays = 2
const usualCurrency = 'USD'

/** What a viewer could pay for to watch this video. */
export function offersFor(
  record: PlayerRecord,
  plans: readonly OfferedPlan[],
  passes: readonly OfferedPass[],
): LockedOffer[] {
  // Prices of videos name no currency: they are in that of the plans and passes.
  const currency = plans[0]?.currency ?? passes[0]?.currency ?? usualCurrency
  const { purchase_price, rental_price, rental_duration } = record
  return [
    ...(record.subscription_required ? plans.map(planOffer) : []),
    ...(record.pass_required ? passes.map(passOffer) : []),
    ...(record.purchase_required && isPrice(purchase_price)
      ? [{ name: 'Buy this video', price: money(purchase_price, currency) }]
      : []),
    ...(record.rental_required && isPrice(rental_price)
      ? [
          {
            name: 'Rent this video',
            price: `${money(rental_price, currency)} for ${days(Number(rental_duration) || usualDays)}`,
          },
        ]
      : []),
  ]
}

function planOffer({ name, amount, currency, interval, interval_count, trial_period_days }: OfferedPlan) {
  const period = interval_count === 1 ? `a ${interval}` : `every ${interval_count} ${interval}s`
  const price = `${money(amount, currency)} ${interval === 'lifetime' ? 'once' : period}`
  return { name, price: trial_period_days > 0 ? `${price}, after ${days(trial_period_days)} free` : price }
}

const passOffer = ({ name, amount, currency, duration }: OfferedPass): LockedOffer => ({
  name,
  price: duration === null ? money(amount, currency) : `${money(amount, currency)} for ${days(duration)}`,
})

const isPrice = (price: unknown): price is string => typeof price === 'string' && /^\d+(\.\d+)?$/.test(price)

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

function money(amount: string, currency: string): string {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount))
  } catch {
    // Records of other systems may have codes that do not exist.
    return `${amount} ${currency}`
  }
}
