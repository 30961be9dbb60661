import type { Readable } from 'node:stream'

/** Work between two pauses: a byte counts as one, and each piece as much as a kilobyte. */
const mostAtOnce = 65_536

/**
 * Reads a stream a little at a time, with other requests in between: Node would read up to two megabytes of one connection
 * before it turns to the next. The result stops reading.
 */
export function readGently(stream: Readable, take: (piece: Buffer) => void): () => void {
  let isOver = false
  let work = 0
  const goOn = () => {
    work = 0
    if (!isOver) stream.resume()
  }
  const takeSome = (piece: Buffer) => {
    work += piece.length + 1000
    if (work >= mostAtOnce) {
      stream.pause()
      setImmediate(goOn)
    }
    take(piece)
  }
  stream.on('data', takeSome)
  return () => {
    isOver = true
    stream.off('data', takeSome).pause()
  }
}
