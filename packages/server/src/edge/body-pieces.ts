import type { IncomingMessage } from 'node:http'

/** The length of the body as the headers give it; not a number if they do not. */
export const declaredBytes = ({ headers }: Pick<IncomingMessage, 'headers'>): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN

/** Whether a request announces a body, of which all, a part or nothing may have arrived. */
export const hasBody = (request: IncomingMessage): boolean => declaredBytes(request) !== 0

/** A small body is received before its sender is looked up. One of unknown length counts as large. */
export const isLarge = (request: Pick<IncomingMessage, 'headers'>): boolean =>
  !(declaredBytes(request) <= smallBytes)

/** The rest of a body of this size is read so that the connection can be used again. */
const smallBytes = 16_384

/**
 * Each piece costs as much work as a kilobyte. After this many, their average size must be fair; else the connection is closed
 * at once, because reading on for an answer would cost more than it is worth.
 */
const manyPieces = 4096
const smallestPieces = 32

/** Small enough that Node takes it from a pool. */
const joinedBytes = 2048

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
      block = Buffer.allocUnsafe(joinedBytes)
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
    if (piece.length < joinedBytes / 4 && bytes !== declared) return add(piece)
    flush()
    return push(piece)
  }
}

const gatheredBytes = 16_384

/** Gathers pieces. Small ones are copied together: kept as they are, pieces of one byte would hold many times their size. */
export function gatherPieces(declared: number) {
  const pieces: Buffer[] = []
  let block = Buffer.alloc(0)
  let used = 0
  const closeBlock = () => {
    if (used > 0) pieces.push(block.subarray(0, used))
    block = block.subarray(used)
    used = 0
  }
  return {
    add(piece: Buffer) {
      if (piece.length >= gatheredBytes / 4) {
        closeBlock()
        pieces.push(piece)
        return
      }
      if (used + piece.length > block.length) {
        closeBlock()
        // Most bodies are so small that Node takes their block from a pool.
        block = Buffer.allocUnsafe(
          declared < gatheredBytes ? Math.max(declared, piece.length) : gatheredBytes,
        )
      }
      used += piece.copy(block, used)
    },
    whole(): Buffer {
      closeBlock()
      return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    },
  }
}
