import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { link, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, unless } from './file-errors.js'
import { folderProblem } from './folder-problem.js'
import { birthOf } from './processes.js'

export interface Claim {
  release(): void
}

/** Makes this process the only Zoetrope on the folder until it releases it or ends, however it ends. */
export async function claimFolder(folder: string): Promise<Claim> {
  const outcome = await lockIn(folder).catch((error: Error) => {
    throw folderProblem(folder, error.message, { cause: error })
  })
  if ('heldBy' in outcome)
    throw new Error(
      `Another Zoetrope (pid ${outcome.heldBy}) is already using the folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
    )
  return outcome
}

type ClaimOutcome = Claim | { readonly heldBy: number }

async function lockIn(folder: string): Promise<ClaimOutcome> {
  await mkdir(folder, { recursive: true })
  const lock = join(await realpath(folder), 'zoetrope.lock')
  const mine = `${process.pid} ${randomUUID()} ${await birthOf(process.pid)}\n`
  return take(lock, mine)
}

/**
 * The lock of an ended process may be replaced only by the holder of a second lock, named after the content of
 * the first. Otherwise, of two that saw the same stale lock, the slower would replace the lock of the quicker.
 */
async function take(lock: string, mine: string): Promise<ClaimOutcome> {
  for (;;) {
    if (await publish(lock, mine, link)) return claimOn(lock, mine)
    const found = await readLock(lock)
    if (found === undefined) continue
    const heldBy = await livingHolder(found)
    if (heldBy) return { heldBy }

    const right = await take(`${lock}-${createHash('sha256').update(found).digest('hex').slice(0, 16)}`, mine)
    if ('heldBy' in right) return right
    try {
      if ((await readLock(lock)) === found) {
        await publish(lock, mine, rename)
        return claimOn(lock, mine)
      }
    } finally {
      right.release()
    }
  }
}

/** Linked or renamed into place, a lock appears together with its content: nobody can read half of it. */
async function publish(lock: string, content: string, place: typeof link | typeof rename): Promise<boolean> {
  const draft = `${lock}.${randomUUID()}`
  try {
    await writeFile(draft, content)
    await place(draft, lock)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

function claimOn(lock: string, mine: string): Claim {
  return {
    release() {
      // Not ours any more when released twice, or when somebody cleared the folder.
      if (existsSync(lock) && readFileSync(lock, 'utf8') === mine) rmSync(lock)
    },
  }
}

const readLock = (lock: string) => readFile(lock, 'utf8').catch(unless(['ENOENT'], undefined))

async function livingHolder(content: string): Promise<number | undefined> {
  const [pid = '', , ...birth] = content.trim().split(' ')
  if (!/^[1-9]\d*$/.test(pid)) return undefined
  return (await birthOf(Number(pid))) === birth.join(' ') ? Number(pid) : undefined
}
