import { type Mp4Fragment, readFragment } from './mp4-boxes.js'

/** The output of ffmpeg's fragmented MP4, in order: one init, then fragments. */
export type Piece =
  | { readonly kind: 'init'; readonly bytes: Buffer }
  | { readonly kind: 'fragment'; readonly fragment: Mp4Fragment }

/** A larger box is a mistake; our own fragments have a few megabytes. */
const mostBoxBytes = 256 * 1024 * 1024

/** Splits a stream into boxes, holding one fragment at a time. */
export async function* readPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let head: Buffer[] = []
  let moof: Buffer | undefined
  for await (const { type, box } of readBoxes(bytes)) {
    if (type === 'moof') moof = box
    else if (type === 'mdat' && moof) {
      yield { kind: 'fragment', fragment: readFragment(moof, box) }
      moof = undefined
    } else if (type === 'ftyp' || type === 'moov') {
      head = [...head, box]
      if (type === 'moov') yield { kind: 'init', bytes: Buffer.concat(head) }
    }
  }
}

async function* readBoxes(bytes: AsyncIterable<Buffer>): AsyncGenerator<{ type: string; box: Buffer }> {
  let chunks: Buffer[] = []
  let held = 0
  let wanted = 8
  for await (const chunk of bytes) {
    chunks.push(chunk)
    held += chunk.length
    // Chunks are joined only when a box is complete; otherwise a large box would be copied for each of them.
    while (held >= wanted) {
      const joined = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      const length = lengthOf(joined)
      chunks = [joined]
      wanted = length
      if (held < length) break
      yield { type: joined.toString('latin1', 4, 8), box: joined.subarray(0, length) }
      chunks = [joined.subarray(length)]
      held -= length
      wanted = 8
    }
  }
  if (held > 0) throw new Error('The fragments end in the middle of a box.')
}

function lengthOf(head: Buffer): number {
  const length = head.readUInt32BE(0)
  if (length < 8 || length > mostBoxBytes) throw new Error(`A box of ${length} bytes is not to be expected.`)
  return length
}
