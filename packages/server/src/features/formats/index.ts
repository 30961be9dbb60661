import { getCosts } from './costs.js'
import { updateFormats } from './update.js'

/** The formats of a channel, and what they cost. */
export const formatFeatures = {
  formats: { operations: { update: updateFormats }, actions: {} },
  format_costs: { operations: { get: getCosts }, actions: {} },
} as const
