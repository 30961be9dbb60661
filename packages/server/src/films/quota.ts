import type { Db } from '../db/database.js'
import { ApiError, diskFull } from '../errors.js'
import { bytesInWords as inWords } from '../lib/bytes-in-words.js'
import { describeDisk, reservedBytes } from '../storage/disks.js'
import type { Storage, StorageParts } from '../storage/storage.js'

/** How many bytes a new file may have, and the error for a larger one. */
export interface Room {
  readonly bytes: number
  readonly refusal: ApiError
}

/** What a channel stores, and how much it may store. */
interface StorageUse {
  /** What counts against the limit: original files, audio tracks, images, and the announced lengths of unfinished uploads. */
  readonly used: number
  /** The files made from the originals: all formats, and their sound. */
  readonly made: number
  /** Undefined if there is no limit. */
  readonly limit: number | undefined
}

/** The error for a file that is larger than the room on the disk of the media storage, or in its bucket. */
export function noRoomIn({ folder }: Storage, cause?: unknown): ApiError {
  const where = describeDisk(folder)
  const kept = `${inWords(reservedBytes)} of it are kept for the database.`
  return diskFull('The disk of the media storage', where && `${where} ${kept}`, cause)
}

/** How many bytes the storage has left. */
export async function roomIn({ storage }: Pick<StorageParts, 'storage'>): Promise<number> {
  const free = await storage.freeBytes()
  return free === undefined ? Number.POSITIVE_INFINITY : Math.max(free - reservedBytes, 0)
}

/** How large a new file of this channel may be: the least of what the installation, the disk and the channel allow. */
export async function roomOf(db: Db, keeping: StorageParts, site_id: string): Promise<Room> {
  const rooms = [
    { bytes: keeping.maxUploadBytes, refusal: tooLarge(keeping.maxUploadBytes) },
    { bytes: await unreserved(db, keeping), refusal: noRoomIn(keeping.storage) },
    ...(await channelRoom(db, keeping, site_id)),
  ]
  return rooms.reduce((least, room) => (room.bytes < least.bytes ? room : least))
}

/** Throws unless there is room for a file of this size. To reserve the room, call `holdRoom` first. */
export async function roomFor(db: Db, keeping: StorageParts, site_id: string, bytes: number): Promise<void> {
  const room = await roomOf(db, keeping, site_id)
  if (bytes > room.bytes) throw room.refusal
}

/** Locks the channel's quota until the transaction ends, so that two files cannot take the same room. */
export async function holdRoom(tx: Db, site_id: string): Promise<void> {
  await tx`select from channels where _id = ${site_id} for no key update`
}

/** Throws unless a file that has arrived fits into its channel. Call it in the transaction that records the file. */
export async function claimRoom(
  tx: Db,
  keeping: StorageParts,
  site_id: string,
  bytes: number,
): Promise<void> {
  if ((await limitOf(tx, keeping, site_id)) === undefined) return
  await holdRoom(tx, site_id)
  for (const room of await channelRoom(tx, keeping, site_id)) if (bytes > room.bytes) throw room.refusal
}

/** Does not count deleted videos. Counts replaced files until they are swept. */
export async function storageUse(
  db: Db,
  keeping: Pick<StorageParts, 'channelBytes'>,
  site_id: string,
): Promise<StorageUse> {
  const [row] = await db<{ used: number; made: number }[]>`
    select coalesce((
      select sum(made_tracks.bytes) from made_tracks
      join sources on sources.site_id = made_tracks.site_id and sources._id = source_id
      where made_tracks.site_id = ${site_id} and not exists (
        select from videos where videos.site_id = ${site_id} and videos._id = video_id and deleted_at is not null
      )
    ), 0)::float8 as made, (
      coalesce((
        select sum(bytes) from sources where site_id = ${site_id} and not exists (
          select from videos where videos.site_id = ${site_id} and videos._id = video_id and deleted_at is not null
        )
      ), 0) + coalesce((
        select sum(bytes) from audio_tracks where site_id = ${site_id} and not exists (
          select from videos where videos.site_id = ${site_id} and videos._id = video_id and deleted_at is not null
        )
      ), 0) + coalesce((
        select sum(octet_length(bytes)) from image_files where site_id = ${site_id} and not exists (
          select from videos where videos.site_id = ${site_id} and videos._id = owner_id and deleted_at is not null
        )
      ), 0) + coalesce((
        select sum(length) from uploads
        where site_id = ${site_id} and finished_at is null and expires_at > now()
      ), 0)
    )::float8 as used
  `
  return { used: row?.used ?? 0, made: row?.made ?? 0, limit: await limitOf(db, keeping, site_id) }
}

async function limitOf(
  db: Db,
  keeping: Pick<StorageParts, 'channelBytes'>,
  site_id: string,
): Promise<number | undefined> {
  const [limit] = await limitsOf(db, keeping, [site_id])
  return limit
}

async function limitsOf(
  db: Db,
  { channelBytes }: Pick<StorageParts, 'channelBytes'>,
  site_ids: readonly string[],
): Promise<(number | undefined)[]> {
  const rows = await db<{ own: number | null }[]>`
    select storage_limit::float8 as own from channels where _id = any(${site_ids})
  `
  return rows.map(({ own }) => (own === null ? channelBytes : own < 0 ? undefined : own))
}

/**
 * The limit of a new channel of a publisher who owns these: the largest of theirs, so that making another channel does not
 * lift a limit. Undefined if the installation's own limit is no larger.
 */
export async function limitOfAnother(
  db: Db,
  keeping: Pick<StorageParts, 'channelBytes'>,
  owned: readonly string[],
): Promise<number | undefined> {
  const limits = await limitsOf(db, keeping, owned)
  const largest = Math.max(0, ...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY))
  return largest < (keeping.channelBytes ?? Number.POSITIVE_INFINITY) ? largest : undefined
}

async function channelRoom(db: Db, keeping: StorageParts, site_id: string): Promise<Room[]> {
  if ((await limitOf(db, keeping, site_id)) === undefined) return []
  const { used, limit = 0 } = await storageUse(db, keeping, site_id)
  return [{ bytes: Math.max(limit - used, 0), refusal: channelFull(used, limit) }]
}

/** Free bytes, less those reserved for resumable uploads that have not arrived yet. */
async function unreserved(db: Db, keeping: StorageParts): Promise<number> {
  const free = await roomIn(keeping)
  const [row] = await db<{ reserved: number }[]>`
    select coalesce(sum(length - "offset"), 0)::float8 as reserved from uploads
    where finished_at is null and expires_at > now()
  `
  return Math.max(free - (row?.reserved ?? 0), 0)
}

const tooLarge = (bytes: number) =>
  new ApiError(413, `The file is larger than the limit of ${inWords(bytes)}.`)
const channelFull = (used: number, limit: number) =>
  new ApiError(
    413,
    `The channel may keep ${inWords(limit)} and has ${inWords(used)}; the file does not fit. Remove videos, or ask the operator for more.`,
  )
