import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Why the folder cannot be used, as a sentence; undefined if it can. */
export async function folderTrouble(folder: string): Promise<string | undefined> {
  const probe = join(folder, `.write-test-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(probe, 'x')
    await rm(probe)
    const { bavail, bsize } = await statfs(folder)
    const megabytes = Math.floor((bavail * bsize) / 1_048_576)
    if (megabytes >= leastMegabytes) return undefined
    return `The disk of ${folder} is full: ${megabytes} MB are free, at least ${leastMegabytes} MB are needed. Free some space, or set DATA_DIR to another folder.`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = troubles[code ?? ''] ?? `cannot be used (${code ?? (error as Error).message})`
    return `The folder ${folder} ${why}. Change that, or set DATA_DIR to another folder.`
  }
}

const leastMegabytes = 200
const troubles: Readonly<Record<string, string>> = {
  EACCES: 'cannot be written by this user',
  EPERM: 'cannot be written by this user',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a full disk',
  ENOTDIR: 'has a file where a folder should be',
  EEXIST: 'is a file, not a folder',
}

/** Written to a temporary file, flushed and renamed: readers see the old file or the new one. */
async function replaceFile(path: string, content: string): Promise<void> {
  const aside = `${path}.new`
  await writeDurably(aside, content)
  await rename(aside, path)
}

async function writeDurably(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await rm(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** The key in DATA_DIR, created on the first start. */
export async function storedSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret-key')
  const stored = (await readIfThere(path))?.trim()
  if (stored) return stored
  const made = randomBytes(32).toString('hex')
  await replaceFile(path, `${made}\n`)
  return made
}

const credentialsPath = (dataDir: string) => join(dataDir, 'credentials.json')

/**
 * Writes the credentials to a draft that becomes the file after the commit, so a crash in between loses
 * nothing.
 */
export const draftCredentials = (dataDir: string, credentials: object): Promise<void> =>
  writeDurably(`${credentialsPath(dataDir)}.new`, `${JSON.stringify(credentials, null, 2)}\n`)

export async function publishCredentials(dataDir: string): Promise<void> {
  await rename(`${credentialsPath(dataDir)}.new`, credentialsPath(dataDir)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    },
  )
}

/**
 * Updates the address in the credentials when the port or API_URL changed. Returns the path if the file
 * exists.
 */
export async function refreshCredentials(dataDir: string, url: string): Promise<string | undefined> {
  const path = credentialsPath(dataDir)
  const stored = await readIfThere(path)
  if (stored === undefined) return undefined
  const credentials = JSON.parse(stored) as { url: string }
  if (credentials.url !== url)
    await replaceFile(path, `${JSON.stringify({ ...credentials, url }, null, 2)}\n`)
  return path
}

/**
 * Removes the password from the credentials when their publisher has chosen another, and updates the e-mail
 * address.
 */
export async function dropPassword(dataDir: string, email: string, emailNow: string): Promise<void> {
  const path = credentialsPath(dataDir)
  const stored = await readIfThere(path)
  if (stored === undefined) return
  const credentials = JSON.parse(stored) as { publisher?: { email: string; password?: string } }
  if (credentials.publisher?.email !== email) return
  const changed = { ...credentials, publisher: { email: emailNow } }
  await replaceFile(path, `${JSON.stringify(changed, null, 2)}\n`)
}

/** Updates the credentials when a key of their channel was replaced. */
export async function refreshKey(
  dataDir: string,
  channelId: string,
  kind: string,
  key: string,
): Promise<void> {
  const path = credentialsPath(dataDir)
  const stored = await readIfThere(path)
  if (stored === undefined) return
  const credentials = JSON.parse(stored) as { channel: { _id: string }; keys: Record<string, string> }
  if (credentials.channel._id !== channelId) return
  const keys = { ...credentials.keys, [kind]: key }
  await replaceFile(path, `${JSON.stringify({ ...credentials, keys }, null, 2)}\n`)
}
