import type { Plan } from '../data/offers.js'
import { money } from './numbers.js'
import { strings } from './strings.js'

/** The price of a plan with its period: $4.99 a month. */
export function planPrice({ amount, currency, interval, interval_count: count }: Plan): string {
  const price = money(amount, currency)
  return interval === 'lifetime' ? strings.once(price) : strings.every[interval](price, count)
}
