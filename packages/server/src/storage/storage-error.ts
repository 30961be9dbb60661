/**
 * `away` is a store that cannot be used for the moment: it does not respond, or refuses us. `replaced` is an object that
 * got other bytes while it was read. `bad_key` is a key that we would never create: a bug, or an attack that got this far.
 */
export type StorageTrouble =
  | 'full'
  | 'away'
  | 'broken'
  | 'replaced'
  | 'too_large'
  | 'missing'
  | 'wrong_offset'
  | 'checksum'
  | 'taken_over'
  | 'bad_key'

/** A storage failure, explained for the operator. The message names no path; paths are in the cause. */
export class StorageError extends Error {
  readonly reason: StorageTrouble

  constructor(reason: StorageTrouble, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

const explanations: Readonly<Record<string, [StorageTrouble, string]>> = {
  ENOSPC: ['full', 'The disk of the media storage is full. Free some space, or move it to a larger disk.'],
  EDQUOT: ['full', 'The media storage has reached the disk quota of its user. Raise it, or free some space.'],
  EFBIG: ['full', 'The file is larger than the disk of the media storage allows.'],
  EIO: [
    'broken',
    'The disk of the media storage fails to read or write (EIO). Look at the system log; the disk may be dying.',
  ],
  EROFS: [
    'broken',
    'The disk of the media storage has become read-only. Look at the system log for the reason.',
  ],
  EACCES: [
    'broken',
    'The media storage has files that this user may not touch. Give them to the user that runs Zoetrope.',
  ],
  EPERM: [
    'broken',
    'The media storage has files that this user may not touch. Give them to the user that runs Zoetrope.',
  ],
  ELOOP: ['broken', 'There is a symbolic link in the media storage, where none belongs. Remove it.'],
  ENOTDIR: ['bad_key', 'An object of the media storage is where a folder was expected.'],
  EISDIR: ['bad_key', 'A folder of the media storage is where an object was expected.'],
  EMFILE: ['broken', 'Too many files are open in this process. Raise its limit (ulimit -n).'],
  ENFILE: ['broken', 'Too many files are open on this machine.'],
}

/** Explains file system errors; returns all others unchanged. */
export function storageError(error: unknown): unknown {
  if (error instanceof StorageError) return error
  const [reason, sentence] = explanations[codeOf(error) ?? ''] ?? []
  return reason && sentence ? new StorageError(reason, sentence, { cause: error }) : error
}

/** Runs work on files, and explains its failures. */
export async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageError(error)
  }
}

/** Whether an error, or one that caused it, is of such a kind. Unexplained errors of the file system count too. */
export function hasReason(error: unknown, ...reasons: readonly StorageTrouble[]): boolean {
  const known = storageError(error)
  if (known instanceof StorageError && reasons.includes(known.reason)) return true
  return error instanceof Error && error.cause !== undefined && hasReason(error.cause, ...reasons)
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined

/** For files that may be missing: `undefined` instead of the error. */
export function ifMissing(error: unknown): undefined {
  const code = codeOf(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  return undefined
}
