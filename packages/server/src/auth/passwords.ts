import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'

/** argon2id at OWASP's cost; runs on the thread pool. */
export const hashPassword = (password: string): Promise<string> =>
  hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

/** Five groups that can be read aloud, about 100 bits. */
export function newPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const letters = Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length])
  return (letters.join('').match(/.{4}/g) ?? []).join('-')
}
