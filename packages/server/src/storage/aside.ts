import { randomBytes } from 'node:crypto'
import { lstat, mkdir, opendir, readdir, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ours } from './disk.js'
import { ifMissing } from './storage-error.js'

/** Things of other machines are taken for left over when nothing in them has changed for so long. */
const longestSilence = 24 * 3600_000

/** The part of the storage where each process keeps what is not finished. */
export interface Aside {
  /** A path that nobody else uses; nothing is there yet. */
  path(): Promise<string>
  folder(): Promise<string>
  /** Removes the things of processes that are no more. */
  sweep(): Promise<number>
}

export async function openAside(root: string): Promise<Aside> {
  const own = join(root, await nameOf(process.pid))
  const path = async () => {
    await mkdir(own, { recursive: true, mode: ours.folder })
    return join(own, randomBytes(12).toString('hex'))
  }
  return {
    path,
    async folder() {
      const folder = await path()
      await mkdir(folder, { mode: ours.folder })
      return folder
    },
    async sweep() {
      let swept = 0
      for (const name of await readdir(root)) {
        const folder = join(root, name)
        if (folder === own || (await isInUse(folder, name))) continue
        swept += (await readdir(folder).catch(ifMissing))?.length ?? 0
        await rm(folder, { recursive: true, force: true })
      }
      return swept
    },
  }
}

/** Machine, process and when it began: another process may have got the same number since. */
const nameOf = async (pid: number) => `${machine()}~${pid}~${await beginning(pid)}`
const machine = () =>
  hostname()
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-') || 'unnamed'

async function isInUse(folder: string, name: string): Promise<boolean> {
  const [where, pid] = name.split('~')
  if (where !== machine()) return Date.now() - (await lastChange(folder)) < longestSilence
  return isRunning(Number(pid)) && name === (await nameOf(Number(pid)))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In the clock ticks of Linux; 0 on systems that do not say. */
async function beginning(pid: number): Promise<string> {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the program comes second, and may itself contain blanks and brackets.
  return facts.slice(facts.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
}

async function lastChange(folder: string): Promise<number> {
  let last = (await lstat(folder).catch(ifMissing))?.mtimeMs ?? 0
  const directory = await opendir(folder).catch(ifMissing)
  if (!directory) return last
  for await (const entry of directory) {
    const path = join(folder, entry.name)
    const changed = entry.isDirectory()
      ? await lastChange(path)
      : (await lstat(path).catch(ifMissing))?.mtimeMs
    last = Math.max(last, changed ?? 0)
  }
  return last
}
