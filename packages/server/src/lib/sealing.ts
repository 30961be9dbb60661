import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Keys derived from SECRET_KEY: to find a secret by its digest, to show it again, to derive one secret from
 * another. None of them is stored in the database.
 */
export interface Sealer {
  digest(secret: string): Buffer
  /** Derives another secret for one purpose: always the same 64 hexadecimal digits. */
  derive(purpose: string, secret: string): string
  seal(secret: string): Buffer
  unseal(sealed: Uint8Array): string
  /** Shows whether a database was made with the same SECRET_KEY, without revealing the key. */
  readonly fingerprint: string
}

const ivBytes = 12
const tagBytes = 16

export function createSealer(secretKey: string): Sealer {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'zoetrope', purpose, 32))
  const digestKey = derive('digest')
  const sealKey = derive('seal')
  const deriveKey = derive('derive')
  const digest = (secret: string) => createHmac('sha256', digestKey).update(secret).digest()
  return {
    digest,
    derive: (purpose, secret) => createHmac('sha256', deriveKey).update(`${purpose} ${secret}`).digest('hex'),
    seal(secret) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv)
      return Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    unseal(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(sealed.subarray(-tagBytes))
      return decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    fingerprint: digest('zoetrope').toString('hex'),
  }
}

export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
