/** Collects every secret that the tests use; scripts/test.ts searches the logs for them afterwards. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Passwords } from '../../packages/server/src/auth/passwords.js'
import type { Sealer } from '../../packages/server/src/lib/sealing.js'
import { appendSecret } from './log-files.js'
import { isVaried } from './secret-search.js'

const noted = new Set<string>()
const shortest = 6

/**
 * Remembers a secret. Texts shorter than six characters appear in any log by chance, and tests send one repeated letter
 * in fields of every kind.
 */
export function note(secret: string): void {
  if (secret.length < shortest || new Set(secret).size === 1 || noted.has(secret)) return
  noted.add(secret)
  appendSecret(secret)
}

/** Fields that people choose or type are always secrets. */
const typedFields = new Set(['password', 'pin', 'user_code'])
const madeFields = new Set([
  ...['admin', 'read_only', 'player', 'api_key', 'app_key', 'client_secret'],
  ...['access_token', 'refresh_token', 'code', 'device_code', 'token'],
])

/** Remembers the secrets in a response or a file, at any depth, by the names of their fields. */
export function noteFields(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== 'string') noteFields(inner)
    else if (typedFields.has(name) || (madeFields.has(name) && looksMade(inner))) note(inner)
  }
}

/** Remembers the keys in text shown to a person, such as the output of `zoetrope key rotate`. */
export function noteKeys(text: string): void {
  for (const [key] of text.matchAll(/\bz[kst]_[a-z_]+_[0-9a-f]{40}\b/g)) note(key)
}

/** Remembers the secret settings of a server process, and the secrets in its folder. */
export function noteInstallation(env: Readonly<Record<string, string>>): void {
  note(env.SECRET_KEY ?? '')
  // The password in an address, such as DATABASE_URL.
  for (const value of Object.values(env))
    note(decodeURIComponent(/^\w+:\/\/[^/@]*:([^/@]+)@/.exec(value)?.[1] ?? ''))
  if (!env.DATA_DIR) return
  note(readIfThere(join(env.DATA_DIR, 'secret-key')).trim())
  noteFields(JSON.parse(readIfThere(join(env.DATA_DIR, 'credentials.json')) || '{}'))
}

/** Some servers under test never create these files, and some have a file in place of the folder. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const isPin = (text: string) => /^[a-hjkmnp-z2-9]{7}$/.test(text) && isVaried(text, 3)
const isId = (text: string) => /^[0-9a-f]{24}$/.test(text)
const isToken = (text: string) => /^[\w-]{16,}$/.test(text) && isVaried(text, 10) && !isId(text)

/**
 * Returns whether the platform may have generated this text: a PIN, or a key, token or code. Tests also send other
 * texts as credentials, such as 'hasOwnProperty' or a thousand times the same letter, and send them in fields that logs
 * rightly show.
 */
const looksMade = (text: string): boolean => isPin(text) || isToken(text)

/** Keys, tokens, PINs and codes all pass through the sealer, so it sees them all. */
export const notingSealer = (sealer: Sealer): Sealer => ({
  ...sealer,
  digest(text) {
    // The last word, since some secrets follow their purpose ('pin …'). Keys of attempt counters contain no secret.
    const secret = text.split(' ').at(-1) ?? ''
    if (!text.startsWith('attempts ') && looksMade(secret)) note(secret)
    return sealer.digest(text)
  },
  derive(purpose, secret) {
    const derived = sealer.derive(purpose, secret)
    note(derived)
    // The addresses of films have a part of it, in other letters.
    if (purpose === 'film') note(Buffer.from(derived, 'hex').subarray(0, 16).toString('base64url'))
    return derived
  },
  seal(secret) {
    note(secret)
    return sealer.seal(secret)
  },
  unseal(sealed) {
    const secret = sealer.unseal(sealed)
    note(secret)
    return secret
  },
})

let onlyMade = false

/** For tests that send the same hostile values as passwords and in fields that logs rightly show. */
export function noteOnlyMadePasswords(): void {
  onlyMade = true
}

const notePassword = (password: string): void => {
  if (!onlyMade || looksMade(password)) note(password)
}

/** A typed password is a secret, whether correct or not. */
export const notingPasswords = (passwords: Passwords): Passwords => ({
  ...passwords,
  hash(password) {
    notePassword(password)
    return passwords.hash(password)
  },
  verify(hash, password) {
    notePassword(password)
    return passwords.verify(hash, password)
  },
})
