import { createCipheriv } from 'node:crypto'
import { pipeline } from 'node:stream'
import type { Sealer } from '../lib/sealing.js'
import type { OpenedObject } from '../storage/storage.js'

const blockBytes = 16

/** The key of a source's segments, derived and therefore never stored. */
export const segmentKeyOf = (sealer: Sealer, source_id: string): Buffer =>
  Buffer.from(sealer.derive('hls', source_id), 'hex').subarray(0, blockBytes)

/**
 * Without an IV attribute in the playlist, the segment number is the initialisation vector (RFC 8216 §5.2).
 */
function vectorOf(segment: number): Buffer {
  const vector = Buffer.alloc(blockBytes)
  vector.writeUInt32BE(segment, blockBytes - 4)
  return vector
}

/** Encrypts a segment while it is sent; the stored file stays in the clear. */
export function encrypt(object: OpenedObject, key: Buffer, segment: number): OpenedObject {
  const cipher = createCipheriv('aes-128-cbc', key, vectorOf(segment))
  // PKCS #7 always adds padding.
  const size = (Math.floor(object.size / blockBytes) + 1) * blockBytes
  // Destroying the returned stream also ends the source; errors reach the reader.
  return { ...object, size, body: pipeline(object.body, cipher, () => {}) }
}
