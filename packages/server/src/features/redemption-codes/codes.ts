import { randomInt } from 'node:crypto'
import { couldNotSave } from '../../errors.js'
import { isId } from '../../lib/object-id.js'
import { deriving } from '../derived.js'

/** Without I, O, 0 and 1, which are easily confused. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 16

/** Generates a code of 80 random bits. */
export const newCode = () =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** Normalizes a typed code to its stored form. */
export const plainCode = (typed: string) => typed.replace(/[\s-]/g, '').toUpperCase()

/** Validates and normalizes a code chosen by the publisher. */
export function readCode(given: string): string {
  const code = plainCode(given)
  if (!/^[A-Z0-9]{4,64}$/.test(code) || isId(code.toLowerCase()))
    throw couldNotSave(
      'redemption_code',
      'code',
      'must be 4 to 64 letters and digits, and not look like an id',
    )
  return code
}

/** Adds the fields that depend on the current time. */
export const withValidity = deriving((codes) =>
  codes.map(({ expiration_date: until, redeemed }) => {
    const expired = typeof until === 'string' && Date.parse(until) <= Date.now()
    return { expired, available: !expired && redeemed === false }
  }),
)
