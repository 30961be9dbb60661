import { plainEmail } from '../../auth/sign-in.js'
import { allOf, type Fragment, sql } from '../../db/fragment.js'
import type { Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'
import { standard } from '../../resources/standard.js'
import { deriving } from '../derived.js'
import { ownTokenDigest } from './fields.js'
import { hasToken } from './tokens.js'

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

export const getConsumer = deriving((consumers, { principal }) =>
  consumers.map(() => (principal.kind === 'app' ? discreet : {})),
)(standard.get)

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'string' ? plainEmail(value) : value
}

/** Normalizes addresses as they are stored, and finds tokens by their digests. */
export async function listConsumers(call: Call) {
  const { email, 'email!': not, password_token, rss_token, remember_token, ...query } = call.query
  const { sealer } = call.parts
  const { site_id } = call.scope
  const tokens = [
    password_token && sql`password_token_digest = ${ownTokenDigest(sealer, String(password_token))}`,
    rss_token && hasToken(sealer, site_id, 'rss_token', rss_token),
    remember_token && hasToken(sealer, site_id, 'remember_token', remember_token),
  ].filter((condition): condition is Fragment => Boolean(condition))
  const plainQuery = { ...query, email: plain(email), 'email!': plain(not) }
  return list({ ...call, query: plainQuery }, tokens.length > 0 ? allOf(tokens) : undefined)
}
