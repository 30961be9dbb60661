import { readFile, stat } from 'node:fs/promises'
import { type Mmdb, openMmdb } from './mmdb.js'

/** A database of locations by address; it is read again when the file is replaced. */
export interface CountryFile {
  find(address: string): unknown
  close(): void
}

/** Publishers of such files release new ones a few times a month. */
const lookEveryMs = 60_000
/** The largest databases contain all cities of the world. */
const mostBytes = 2_000_000_000

/**
 * Reads the file, or throws an explanation for the operator. A later replacement that cannot be read is
 * ignored.
 */
export async function openCountryFile(
  path: string,
  onError: (error: unknown) => void,
  everyMs = lookEveryMs,
): Promise<CountryFile> {
  let state = await fileFacts(path)
  let file = await readCountryFile(path)
  let isLooking = false

  async function look(): Promise<void> {
    const now = await fileFacts(path)
    if (now === state) return
    file = await readCountryFile(path)
    state = now
  }
  const looking = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .catch(onError)
      .finally(() => {
        isLooking = false
      })
  }, everyMs)
  looking.unref()

  return {
    find(address) {
      try {
        return file.find(address)
      } catch (error) {
        onError(error)
        return undefined
      }
    },
    close: () => clearInterval(looking),
  }
}

/** A fingerprint that changes with the file. */
async function fileFacts(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path).catch(cannotRead(path))
  if (size > mostBytes) throw new Error(`COUNTRY_FILE ${path} is too large to be read.`)
  return `${size} ${mtimeMs}`
}

async function readCountryFile(path: string): Promise<Mmdb> {
  const bytes = await readFile(path).catch(cannotRead(path))
  try {
    return openMmdb(bytes)
  } catch (cause) {
    throw new Error(`COUNTRY_FILE ${path} cannot be used: ${(cause as Error).message}.`, { cause })
  }
}

const cannotRead = (path: string) => (cause: Error) => {
  throw new Error(`COUNTRY_FILE ${path} cannot be read: ${cause.message}.`, { cause })
}
