import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Concatenates streams into a new file without holding more than a chunk in memory; returns its size. */
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
