import type { Readable } from 'node:stream'
import type { Pace } from './pace.js'

/**
 * Reads a stream a little at a time: Node would read up to two megabytes of one connection before it turns to the next. What
 * has arrived, at most some 64 kB, is taken in one slice; only then is more received. The result stops reading.
 */
export function readGently(stream: Readable, pace: Pace, take: (piece: Buffer) => void): () => void {
  let isOver = false
  let isWaiting = false
  const takeSome = () => {
    isWaiting = false
    for (let piece = nextPiece(); piece !== null; piece = nextPiece()) take(piece)
  }
  // Reading to the end also makes the stream report that it has ended.
  const nextPiece = (): Buffer | null => (isOver ? null : stream.read())
  const onReadable = () => {
    if (isWaiting) return
    isWaiting = true
    void pace(takeSome)
  }
  stream.on('readable', onReadable)
  return () => {
    isOver = true
    stream.off('readable', onReadable)
  }
}
