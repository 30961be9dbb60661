import type { IncomingMessage } from 'node:http'
import { declaredBytes } from './body-size.js'

/**
 * Each piece costs as much work as a kilobyte. After this many, their average size must be fair; else the connection is closed
 * at once, because reading on for an answer would cost more than it is worth.
 */
const manyPieces = 4096
const smallestPieces = 32

/** Small enough that Node takes it from a pool. */
const blockBytes = 2048

/**
 * Joins small pieces of a body that arrive together. Node makes a buffer of every chunk of the chunked encoding, ten thousand
 * for one packet if a client wants that, and before anybody reads them they would fill the memory.
 */
export function joinPieces(request: IncomingMessage): void {
  const push = request.push.bind(request)
  const declared = declaredBytes(request)
  let block = Buffer.alloc(0)
  let used = 0
  let pieces = 0
  let bytes = 0

  const flush = (): boolean => {
    const joined = block.subarray(0, used)
    block = block.subarray(used)
    used = 0
    return joined.length === 0 || push(joined)
  }
  const add = (piece: Buffer): boolean => {
    let mayContinue = true
    if (used + piece.length > block.length) {
      mayContinue = flush()
      block = Buffer.allocUnsafe(blockBytes)
    }
    if (used === 0) setImmediate(() => request.destroyed || flush())
    used += piece.copy(block, used)
    return mayContinue
  }
  request.push = (piece: Buffer | null) => {
    // The parser of Node goes on to the end of what it has read.
    if (request.destroyed) return false
    if (piece === null) {
      flush()
      return push(null)
    }
    pieces += 1
    bytes += piece.length
    if (pieces > manyPieces && bytes < pieces * smallestPieces) {
      request.destroy()
      return false
    }
    // The last piece has nothing to wait for.
    if (piece.length < blockBytes / 4 && bytes !== declared) return add(piece)
    flush()
    return push(piece)
  }
}
