import type { Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'

/** What only the publisher and the consumer see: an app key can be taken out of any app. */
const discreet = [
  'parental_access_code',
  'stripe_id',
  'braintree_id',
  'recurly_code',
  'current_sign_in_ip',
  'last_sign_in_ip',
] as const

export async function getConsumer(call: Call) {
  const found = await standard.get(call)
  if (!found || call.principal.kind !== 'app') return found
  const { response } = JSON.parse(found.json.toString()) as { response: Record<string, unknown> }
  const hidden = discreet.filter((name) => Object.hasOwn(response, name)).map((name) => [name, null])
  return answer(JSON.stringify({ ...response, ...Object.fromEntries(hidden) }))
}
