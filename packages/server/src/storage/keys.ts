import { StorageError } from './storage-error.js'

const words = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/
const longestKey = 300
const longestWord = 200

/**
 * Our own words separated by slashes: nothing that could escape the storage or be ambiguous on any file
 * system.
 */
export function checkKey(key: string): string {
  const isOurs =
    key.length <= longestKey && words.test(key) && key.split('/').every((word) => word.length <= longestWord)
  if (!isOurs)
    throw new StorageError('bad_key', `${JSON.stringify(key.slice(0, longestKey))} is no key of the storage.`)
  return key
}
