import type { MediaParts } from './media-parts.js'

/** The database may live on the same disk, and must go on working when films have filled it. */
const reservedBytes = 256 * 1_048_576

/** How many bytes the storage can still take. */
export async function roomIn({ storage }: Pick<MediaParts, 'storage'>): Promise<number> {
  const free = await storage.freeBytes()
  return free === undefined ? Number.POSITIVE_INFINITY : Math.max(free - reservedBytes, 0)
}
