import { randomInt } from 'node:crypto'
import { invalid } from '../../errors.js'
import { isId } from '../../lib/object-id.js'
import { deriving } from '../../resources/derived.js'

/** No letters that are taken for digits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 16

/** 80 bits that nobody guesses. */
export const newCode = () =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** A code as it is kept, however it was typed. */
export const plainCode = (typed: string) => typed.replace(/[\s-]/g, '').toUpperCase()

/** A code of the publisher's own, as it is kept. */
export function readCode(given: string): string {
  const code = plainCode(given)
  if (!/^[A-Z0-9]{4,64}$/.test(code) || isId(code.toLowerCase()))
    throw invalid(
      'Could not save redemption_code: code must be 4 to 64 letters and digits, and not look like an id.',
      {
        code: ['must be 4 to 64 letters and digits, and not look like an id'],
      },
    )
  return code
}

/** Codes with what follows from the time. */
export const withValidity = deriving((codes) =>
  codes.map(({ expiration_date: until, redeemed }) => {
    const expired = typeof until === 'string' && Date.parse(until) <= Date.now()
    return { expired, available: !expired && redeemed === false }
  }),
)
