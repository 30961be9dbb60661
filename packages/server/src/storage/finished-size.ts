import type { Digested } from './storage.js'
import { StorageError } from './storage-error.js'

/** An upload is published only with as many bytes as its caller counted: another writer may have begun again before. */
export function checkOffset(offset: number, size: number | undefined): void {
  if (size !== undefined && offset !== size)
    throw new StorageError('wrong_offset', `The upload has ${offset} bytes, not ${size}. Continue it there.`)
}

/** The same for an object that is there already. */
export function checkFinished({ size }: Digested, expected: number | undefined): void {
  if (expected !== undefined && size !== expected)
    throw new StorageError(
      'broken',
      `The stored file has ${size} bytes instead of ${expected}. Upload it again.`,
    )
}
