import { createHmac, randomBytes } from 'node:crypto'

const stepSeconds = 30
const digits = 6
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 §6 without padding, as authenticator apps expect. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

export const newTotpSecret = (): string => base32(randomBytes(20))

/** RFC 4226 §5.3: four bytes of the HMAC, at the offset given by its last four bits. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / stepSeconds)

/** RFC 6238 §5.2: the step a code belongs to: the current one or a neighbour, because clocks differ. */
export const stepOf = (secret: string, code: string, now = Date.now()): number | undefined =>
  [-1, 0, 1].map((off) => stepAt(now) + off).find((step) => codeAt(secret, step) === code)

/** The content of the QR code for an authenticator app. */
export const totpUri = (secret: string, account: string): string =>
  `otpauth://totp/Zoetrope:${encodeURIComponent(account)}?secret=${secret}&issuer=Zoetrope`
