import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Writes streams of bytes one after another into a new file, without ever holding more than a piece of one; answers with its size. */
export async function joinParts(
  path: string,
  parts: AsyncIterable<AsyncIterable<Uint8Array>>,
  signal: AbortSignal,
): Promise<number> {
  let size = 0
  async function* bytes() {
    for await (const part of parts)
      for await (const chunk of part) {
        size += chunk.length
        yield chunk
      }
  }
  await pipeline(bytes(), createWriteStream(path, { flags: 'wx' }), { signal })
  return size
}
