import { randomBytes } from 'node:crypto'
import { lstat, mkdir, opendir, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ours } from './disk.js'
import { ifMissing } from './storage-error.js'

/** Things of processes that cannot be judged from here are taken for left over when nothing in them has changed for so long. */
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

/** Process and when it began: another one may have got the same number since. */
const nameOf = async (pid: number) => `${await surroundings()}~${pid}~${await beginning(pid)}`

/**
 * Where a process number means the same as here. Containers may share a hostname and this storage, and each has numbers of
 * its own; machines may share a hostname too, but no boot.
 */
async function surroundings(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${machine()}~${boot.replace(/[^0-9a-f]/g, '') || unknown}~${/\d+/.exec(namespace)?.[0] ?? unknown}`
}

/** Systems other than Linux have no containers of this kind: there the hostname has to do. */
const unknown = process.platform === 'linux' ? 'unknown' : '0'

const machine = () =>
  hostname()
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-') || 'unnamed'

async function isInUse(folder: string, name: string): Promise<boolean> {
  const here = await surroundings()
  if (!name.startsWith(`${here}~`) || here.includes('~unknown'))
    return Date.now() - (await lastChange(folder)) < longestSilence
  const pid = Number(name.slice(here.length + 1).split('~')[0])
  return isRunning(pid) && name === (await nameOf(pid))
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
