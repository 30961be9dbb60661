import { plainEmail } from '../../auth/sign-in.js'
import type { Call } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'string' ? plainEmail(value) : value
}

/** Addresses are looked for as they are kept, however they are typed. */
export async function listConsumers(call: Call) {
  const { email, 'email!': not } = call.query
  return standard.list({ ...call, query: { ...call.query, email: plain(email), 'email!': plain(not) } })
}
