import type { Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'

/** Fields that only the publisher and the consumer see. App keys can be extracted from apps. */
const discreet = {
  parental_access_code: null,
  stripe_id: null,
  braintree_id: null,
  recurly_code: null,
  current_sign_in_ip: null,
  last_sign_in_ip: null,
  payment_providers: [],
} as const

export async function getConsumer(call: Call) {
  const found = await standard.get(call)
  if (!found || call.principal.kind !== 'app') return found
  const { response } = JSON.parse(found.json.toString()) as { response: Record<string, unknown> }
  const hidden = Object.entries(discreet).filter(([name]) => Object.hasOwn(response, name))
  return answer(JSON.stringify({ ...response, ...Object.fromEntries(hidden) }))
}
