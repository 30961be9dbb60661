import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestOf, limited } from './bytes.js'
import {
  ensureFolder,
  fileAt,
  openToRead,
  ours,
  prune,
  publishFile,
  realPlace,
  syncFolder,
  withFile,
  writeAt,
} from './disk.js'
import { checkFinished, checkOffset } from './finished-size.js'
import { createKnownDigests, type KnownDigests } from './known-digests.js'
import type { AppendOptions, Digested, Upload } from './storage.js'
import { ifMissing, StorageError, storageError } from './storage-error.js'
import { createTakeover, takenOver } from './takeover.js'
import { walk } from './walk.js'

/** How many bytes a crash or a lost connection can cost, and how often to wait for the disk. */
const safeEvery = 8 * 1_048_576

// Keys contain no plus sign, so these names cannot collide.
const dataName = '+data'
const journalName = '+journal'

interface UploadPaths {
  readonly key: string
  readonly folder: string
  readonly data: string
  readonly journal: string
  /** The object it becomes. */
  readonly target: string
  readonly top: string
}

/** Uploads as a growing file with a journal that records how much of it is safe. */
export function createFileUploads({ objects, uploads }: { objects: string; uploads: string }) {
  const digests = createKnownDigests()
  const alone = createTakeover()

  function open(key: string): Upload {
    const folder = join(uploads, key)
    const place: UploadPaths = {
      key,
      folder,
      data: join(folder, dataName),
      journal: join(folder, journalName),
      target: join(objects, key),
      top: uploads,
    }
    const inTurn = <T>(work: (stopped: AbortSignal) => Promise<T>) =>
      alone(key, work).catch((error: unknown) => {
        throw storageError(error)
      })
    return {
      offset: async () => (await readJournal(place.journal))?.offset ?? 0,
      append: (body, atOffset, options = {}) =>
        inTurn((stopped) => append(place, digests, body, atOffset, options, stopped)),
      finish: (size) => inTurn(() => finishFile(place, digests, size)),
      abort: () => inTurn(() => forget(place, digests)),
    }
  }

  async function* list() {
    for await (const { key, modifiedAt } of walk(uploads, ''))
      if (key.endsWith(`/${journalName}`)) yield { key: dirname(key), modifiedAt }
  }

  return { open, list }
}

async function append(
  place: UploadPaths,
  digests: KnownDigests,
  body: AsyncIterable<Uint8Array>,
  atOffset: number,
  { checksum, maxBytes, signal }: AppendOptions,
  stopped: AbortSignal,
): Promise<number> {
  await ensureFolder(place.folder)
  const offset = (await readJournal(place.journal))?.offset ?? 0
  if (atOffset !== offset)
    throw new StorageError('wrong_offset', `The upload continues at ${offset}, not at ${atOffset}.`)
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW
  return withFile(await open(place.data, flags, ours.file), async (file) => {
    const writing = await beginWriting(place, digests, file, offset)
    const chunks = limited(body, { maxBytes, signal: signal ? AbortSignal.any([signal, stopped]) : stopped })
    if (checksum) await writeIfRight(writing, chunks, checksum)
    else await writeAsItComes(writing, chunks, stopped)
    return writing.save()
  })
}

const lostBytes = () =>
  new StorageError('broken', 'Bytes of an unfinished upload were lost by the disk. It has to begin again.')

interface Writing {
  /** Bytes written but not yet safe. */
  readonly pending: () => number
  write(chunk: Uint8Array): Promise<void>
  /** Makes all written bytes safe and returns the offset after them. */
  save(): Promise<number>
}

async function beginWriting(
  place: UploadPaths,
  digests: KnownDigests,
  file: FileHandle,
  offset: number,
): Promise<Writing> {
  const { size } = await file.stat()
  if (size < offset) throw lostBytes()
  // Bytes after the offset were never acknowledged.
  if (size > offset) await file.truncate(offset)
  const writer = randomBytes(8).toString('hex')
  await writeJournal(place.journal, { offset, writer })
  await syncFolder(place.folder)
  let hash = digests.continue(place.key, offset)
  let position = offset
  let safe = offset
  return {
    pending: () => position - safe,
    async write(chunk) {
      const written = writeAt(file, chunk, position)
      // While a thread writes it.
      hash?.update(chunk)
      try {
        await written
      } catch (error) {
        // It has bytes that the file does not have.
        hash = undefined
        throw error
      }
      position += chunk.byteLength
    },
    async save() {
      if (position === safe) return safe
      await file.datasync()
      // Another process may have continued the same upload.
      if ((await readJournal(place.journal))?.writer !== writer) throw takenOver()
      await writeJournal(place.journal, { offset: position, writer })
      safe = position
      if (hash) digests.keep(place.key, safe, hash)
      return safe
    },
  }
}

async function writeAsItComes(
  writing: Writing,
  chunks: AsyncIterable<Uint8Array>,
  stopped: AbortSignal,
): Promise<void> {
  try {
    for await (const chunk of chunks) {
      await writing.write(chunk)
      if (writing.pending() >= safeEvery) await writing.save()
    }
  } catch (error) {
    // Report the first error, even if this causes another.
    if (!stopped.aborted) await writing.save().catch(() => {})
    throw error
  }
}

async function writeIfRight(
  writing: Writing,
  chunks: AsyncIterable<Uint8Array>,
  { algorithm, digest }: NonNullable<AppendOptions['checksum']>,
): Promise<void> {
  const hash = createHash(algorithm)
  for await (const chunk of chunks) {
    hash.update(chunk)
    await writing.write(chunk)
  }
  const actual = hash.digest()
  if (actual.byteLength !== digest.byteLength || !timingSafeEqual(actual, digest))
    throw new StorageError('checksum', 'The received bytes do not have the announced checksum.')
}

async function finishFile(place: UploadPaths, digests: KnownDigests, size?: number): Promise<Digested> {
  const entry = await readJournal(place.journal)
  const data = entry && (await realPlace(place.data))
  if (!entry || !data) {
    const done = await fileDigest(place.target)
    if (!done) throw new StorageError('missing', 'There is no such upload, and no object that it became.')
    checkFinished(done, size)
    await forget(place, digests)
    return done
  }
  checkOffset(entry.offset, size)
  const known = digests.continue(place.key, entry.offset)
  await withFile(await open(data, constants.O_RDWR | constants.O_NOFOLLOW), async (file) => {
    // A shorter file would be filled with zeros.
    if ((await file.stat()).size < entry.offset) throw lostBytes()
    await file.truncate(entry.offset)
    await file.sync()
  })
  const digested = known ? { size: entry.offset, sha256: known.digest('hex') } : await fileDigest(data)
  if (digested?.size !== entry.offset) throw lostBytes()
  await publishFile(data, place.target)
  await forget(place, digests)
  return digested
}

async function forget(place: UploadPaths, digests: KnownDigests): Promise<void> {
  digests.forget(place.key)
  if (!(await realPlace(place.folder))) return
  // The journal goes last: without it, the data would never be found.
  for (const path of [place.data, place.journal]) await rm(path, { force: true })
  await syncFolder(place.folder)
  await prune(place.folder, place.top)
}

async function fileDigest(path: string): Promise<Digested | undefined> {
  if (!(await fileAt(path))) return undefined
  const file = await open(path, openToRead)
  return digestOf(file.createReadStream({ highWaterMark: 1_048_576 }))
}

/** The safe offset of an upload, and its last writer. */
interface JournalEntry {
  readonly offset: number
  readonly writer: string
}

const longestLine = 64
const line = /^(\d{1,16}) ([0-9a-f]{16})$/

/** The last complete line counts; a partial one was left by a crash. */
async function readJournal(path: string): Promise<JournalEntry | undefined> {
  const file = await open(path, openToRead).catch(ifMissing)
  if (!file) return undefined
  const text = await withFile(file, async () => {
    const { size } = await file.stat()
    const length = Math.min(size, 4 * longestLine)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('latin1')
  })
  const whole = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  const [, offset, writer] = whole.map((one) => line.exec(one)).findLast((match) => match !== null) ?? []
  return offset !== undefined && writer !== undefined ? { offset: Number(offset), writer } : undefined
}

/**
 * Appended and flushed, so it is durable on return. The leading line break ends what a crash may have left.
 */
async function writeJournal(path: string, { offset, writer }: JournalEntry): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  await withFile(await open(path, flags, ours.file), async (file) => {
    await file.write(`\n${offset} ${writer}\n`)
    await file.datasync()
  })
}
