import { deriving } from '../../resources/derived.js'

const dayMs = 86_400_000
const daysUntil = (end: unknown) =>
  typeof end === 'string' ? Math.max(Math.floor((Date.parse(end) - Date.now()) / dayMs), 0) : null

/** Adds the number of days until the period ends. */
export const withDays = deriving((subscriptions) =>
  subscriptions.map(({ current_period_end_at }) => ({ days_remaining: daysUntil(current_period_end_at) })),
)
