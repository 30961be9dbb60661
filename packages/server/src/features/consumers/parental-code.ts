import type { Call } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'

/** Clears the code. The app then prompts for a new one. */
export const resetParentalCode = async (call: Call) =>
  standard.update({ ...call, body: { parental_access_code: null } })
