import { createCipheriv } from 'node:crypto'
import { pipeline } from 'node:stream'
import type { Sealer } from '../lib/sealing.js'
import type { OpenedObject } from '../storage/storage.js'

const blockBytes = 16

/** The key of a source's segments: always the same, and kept nowhere. */
export const segmentKeyOf = (sealer: Sealer, source_id: string): Buffer =>
  Buffer.from(sealer.derive('hls', source_id), 'hex').subarray(0, blockBytes)

/** Without another word in the playlist, the number of a segment is its initialisation vector (RFC 8216 §5.2). */
function vectorOf(segment: number): Buffer {
  const vector = Buffer.alloc(blockBytes)
  vector.writeUInt32BE(segment, blockBytes - 4)
  return vector
}

/** A segment as it is sent: encrypted on its way, so that the files stay as they are. */
export function encrypt(object: OpenedObject, key: Buffer, segment: number): OpenedObject {
  const cipher = createCipheriv('aes-128-cbc', key, vectorOf(segment))
  // The padding is never empty.
  const size = (Math.floor(object.size / blockBytes) + 1) * blockBytes
  // Whoever destroys the one that is read ends the other too; what went wrong is told to the reader.
  return { ...object, size, body: pipeline(object.body, cipher, () => {}) }
}
