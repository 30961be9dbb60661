import { link, open, rm } from 'node:fs/promises'
import { ours, withFile, writeAt } from '../disk.js'
import { codeOf, ifMissing } from '../storage-error.js'

export const blockBytes = 4 * 1_048_576

/** Fetches the bytes of a block. */
export type FetchBlock = (start: number, end: number) => Promise<Buffer>

/** A local file of the size of an object, with those of its blocks that were fetched. The others are holes. */
export interface BlockFile {
  /** How much of it is there. */
  bytes(): number
  isWhole(): boolean
  /**
   * Bytes inside one block, which is fetched if it is not there: once for all who ask at the same time. `undefined` if
   * the block was there, and the file has been deleted.
   */
  read(start: number, end: number): Promise<Buffer | undefined>
  /** Fetches a block unless it is there. */
  fetch(block: number): Promise<void>
  /** Gives the file a second name. False if it was deleted. */
  linkTo(path: string): Promise<boolean>
  remove(): Promise<void>
}

const cannotKeep = ['ENOENT', 'ENOSPC', 'EDQUOT']

export const blockAt = (position: number) => Math.floor(position / blockBytes)

/** Creates the file with only holes. The path must be unused. */
export async function createBlockFile(
  path: string,
  size: number,
  fetchBytes: FetchBlock,
  onKept: (bytes: number) => void,
): Promise<BlockFile> {
  await withFile(await open(path, 'wx', ours.file), (file) => file.truncate(size))
  const fetched = new Set<number>()
  const fetching = new Map<number, Promise<Buffer>>()
  let bytes = 0
  /** The last block for which there was no room: it is read in many small steps. */
  let unkept: { readonly block: number; readonly content: Buffer } | undefined

  async function fetchNow(block: number): Promise<Buffer> {
    const start = block * blockBytes
    const content = await fetchBytes(start, Math.min(start + blockBytes, size))
    if (!(await keep(content, start))) {
      unkept = { block, content }
      return content
    }
    fetched.add(block)
    bytes += content.length
    onKept(content.length)
    return content
  }

  /** False if the file was deleted, or the disk is full. The caller has the bytes in memory and goes on. */
  async function keep(content: Buffer, start: number): Promise<boolean> {
    try {
      const file = await open(path, 'r+')
      await withFile(file, () => writeAt(file, content, start))
      return true
    } catch (error) {
      if (!cannotKeep.includes(codeOf(error) ?? '')) throw error
      return false
    }
  }

  function fetchOnce(block: number): Promise<Buffer> {
    if (unkept?.block === block) return Promise.resolve(unkept.content)
    const begun = fetching.get(block) ?? fetchNow(block).finally(() => fetching.delete(block))
    fetching.set(block, begun)
    return begun
  }

  return {
    bytes: () => bytes,
    isWhole: () => fetched.size * blockBytes >= size,
    async read(start, end) {
      const block = blockAt(start)
      if (!fetched.has(block)) {
        const content = await fetchOnce(block)
        return content.subarray(start - block * blockBytes, end - block * blockBytes)
      }
      const file = await open(path, 'r').catch(ifMissing)
      return (
        file &&
        withFile(file, async () => {
          const { buffer, bytesRead } = await file.read(
            Buffer.allocUnsafe(end - start),
            0,
            end - start,
            start,
          )
          return bytesRead === end - start ? buffer : undefined
        })
      )
    },
    async fetch(block) {
      if (!fetched.has(block)) await fetchOnce(block)
    },
    linkTo: (target) =>
      link(path, target).then(
        () => true,
        (error: unknown) => ifMissing(error) ?? false,
      ),
    remove: () => rm(path, { force: true }),
  }
}
