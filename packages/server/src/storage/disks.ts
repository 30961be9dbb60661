import { statfsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { bytesInWords } from '../lib/bytes-in-words.js'

/** Kept free for the database, which may be on the same disk and must work when uploads have filled it. */
export const reservedBytes = 256 * 1_048_576
/** Operators are warned when less than a tenth of a disk is left beside that, but not while so much is left. */
const plentyBytes = 10e9

/** What a folder is for. */
export type DiskUse = 'films' | 'database' | 'cache'
/** The folders that this process or its database writes to. Some are on one disk. */
export type DiskFolders = Readonly<Partial<Record<DiskUse, string>>>

export interface DiskSpace {
  /** One of the folders on this disk. */
  readonly folder: string
  readonly uses: readonly DiskUse[]
  readonly free: number
  readonly size: number
}

/** The space on each disk that has one of these folders. Folders that do not exist are left out. */
export async function readDisks(folders: DiskFolders): Promise<DiskSpace[]> {
  const disks = new Map<number, DiskSpace>()
  for (const [use, folder] of Object.entries(folders) as [DiskUse, string][]) {
    const facts = await stat(folder).catch(() => undefined)
    if (!facts) continue
    const known = disks.get(facts.dev)
    const { bavail, blocks, bsize } = await statfs(folder)
    const space = { folder, uses: [use], free: bavail * bsize, size: blocks * bsize }
    disks.set(facts.dev, known ? { ...known, uses: [...known.uses, use] } : space)
  }
  return [...disks.values()]
}

/** The bytes that are free in a folder at this moment; undefined if that cannot be known. */
function freeBytesIn(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** How much is free in a folder, for the operator. */
export function describeDisk(folder: string | undefined): string | undefined {
  const free = folder === undefined ? undefined : freeBytesIn(folder)
  return free === undefined ? undefined : `${bytesInWords(free)} are free on the disk of ${folder}.`
}

/** PostgreSQL cannot even start with less. */
const leastBytes = 32 * 1_048_576

/** Whether so little is left that the database in this folder may have stopped for it. */
export const stopsDatabase = (folder: string | undefined): boolean =>
  folder !== undefined && (freeBytesIn(folder) ?? leastBytes) < leastBytes

export const isFull = ({ free }: Pick<DiskSpace, 'free'>): boolean => free < reservedBytes

const isLow = ({ free, size }: DiskSpace): boolean => free < reservedBytes + Math.min(size / 10, plentyBytes)

/** For the operator: that a disk is full, or soon will be; undefined if there is plenty of room. */
export function diskTrouble(disk: DiskSpace): string | undefined {
  if (!isLow(disk)) return undefined
  const { folder, uses, free, size } = disk
  const how = isFull(disk) ? 'full' : 'nearly full'
  const what = isFull(disk)
    ? 'Uploads are refused, films wait, and the database stops when nothing is left.'
    : `Uploads are refused when less than ${bytesInWords(reservedBytes)} are left.`
  return `The disk of ${folder} (${uses.join(', ')}) is ${how}: ${bytesInWords(free)} of ${bytesInWords(size)} are free. ${what} Free some space, or move it to a larger disk.`
}
