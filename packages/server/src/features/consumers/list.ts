import { plainEmail } from '../../auth/sign-in.js'
import { sql } from '../../db/fragment.js'
import type { Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'
import { ownTokenDigest } from './fields.js'

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'string' ? plainEmail(value) : value
}

/** Addresses are looked for as they are kept, however they are typed; tokens by what was kept of them. */
export async function listConsumers(call: Call) {
  const { email, 'email!': not, password_token: token, ...query } = call.query
  const digest = token ? ownTokenDigest(call.parts.sealer, String(token)) : undefined
  const plainQuery = { ...query, email: plain(email), 'email!': plain(not) }
  return list({ ...call, query: plainQuery }, digest && sql`password_token_digest = ${digest}`)
}
