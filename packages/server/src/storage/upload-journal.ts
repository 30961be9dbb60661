import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { openToRead, ours, withFile } from './disk.js'
import { ifMissing } from './storage-error.js'

/** The safe offset of an upload, and its last writer. */
export interface JournalEntry {
  readonly offset: number
  readonly writer: string
}

const longestLine = 64
const line = /^(\d{1,16}) ([0-9a-f]{16})$/

/** The last complete line counts; a partial one was left by a crash. */
export async function readJournal(path: string): Promise<JournalEntry | undefined> {
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
export async function writeJournal(path: string, { offset, writer }: JournalEntry): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  await withFile(await open(path, flags, ours.file), async (file) => {
    await file.write(`\n${offset} ${writer}\n`)
    await file.datasync()
  })
}
