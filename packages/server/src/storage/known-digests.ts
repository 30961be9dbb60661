import { createHash, type Hash } from 'node:crypto'

const mostKept = 1000

/**
 * Digests of uploads up to their safe offset. They avoid reading the file again at the end, and may be lost
 * at any time.
 */
export interface KnownDigests {
  /** A digest to continue from this offset, if everything before it is known. */
  continue(key: string, offset: number): Hash | undefined
  keep(key: string, offset: number, hash: Hash): void
  forget(key: string): void
}

export function createKnownDigests(): KnownDigests {
  const known = new Map<string, { offset: number; hash: Hash }>()
  return {
    continue(key, offset) {
      if (offset === 0) return createHash('sha256')
      const kept = known.get(key)
      return kept?.offset === offset ? kept.hash.copy() : undefined
    },
    keep(key, offset, hash) {
      known.delete(key)
      known.set(key, { offset, hash: hash.copy() })
      const [eldest] = known.keys()
      if (known.size > mostKept && eldest !== undefined) known.delete(eldest)
    },
    forget: (key) => known.delete(key),
  }
}
