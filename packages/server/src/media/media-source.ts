import { open, stat } from 'node:fs/promises'

/** A file that is elsewhere, of which ffmpeg reads the parts it needs from an address of this process. */
export interface OfferedFile {
  readonly address: string
  readonly size: number
  /** The bytes at a position, fewer at the end of the file. */
  read(start: number, length: number): Promise<Buffer>
}

/** What ffmpeg reads: the path of a local file, or a file that is offered to it. */
export type MediaSource = string | OfferedFile

export const sizeOf = async (source: MediaSource): Promise<number> =>
  typeof source === 'string' ? (await stat(source)).size : source.size

type ReadAt = OfferedFile['read']

/** Passes a function that reads parts of the source to `use`. */
export async function withBytesOf<T>(source: MediaSource, use: (read: ReadAt) => Promise<T>): Promise<T> {
  if (typeof source !== 'string') return use((start, length) => source.read(start, length))
  const file = await open(source, 'r')
  try {
    return await use(async (start, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await file.close()
  }
}
