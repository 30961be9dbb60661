import { randomBytes, randomInt } from 'node:crypto'

const origin = randomBytes(5).toString('hex')
let counter = randomInt(0x1000000)

/** 24 hexadecimal digits that sort by creation: seconds, five bytes for this process, a counter. */
export function newId(now = Date.now()): string {
  counter = (counter + 1) & 0xffffff
  const seconds = Math.floor(now / 1000)
  return seconds.toString(16).padStart(8, '0') + origin + counter.toString(16).padStart(6, '0')
}

export const isId = (value: string): boolean => /^[0-9a-f]{24}$/.test(value)

/**
 * An id of the same form whose last eight bytes cannot be guessed, for records that anyone who knows the id
 * may use.
 */
export const newUnguessableId = (now = Date.now()): string =>
  newId(now).slice(0, 8) + randomBytes(8).toString('hex')
