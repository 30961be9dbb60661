import { randomBytes } from 'node:crypto'
import { lstat, mkdir, opendir, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ours } from './disk.js'
import { ifMissing, plainly } from './storage-error.js'

/**
 * Unfinished files of processes that cannot be checked from here count as abandoned after this long without a
 * change.
 */
const longestSilence = 24 * 3600_000

/** The part of the storage where each process keeps unfinished files. */
export interface Aside {
  /** A new unused path. */
  path(): Promise<string>
  folder(): Promise<string>
  /** Deletes the files of processes that have ended. */
  sweep(): Promise<number>
}

export async function openAside(root: string): Promise<Aside> {
  const own = join(root, await processName(process.pid))
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
      for (const name of (await readdir(root).catch(ifMissing)) ?? []) {
        const folder = join(root, name)
        if (folder === own || (await isInUse(folder, name))) continue
        swept += (await readdir(folder).catch(ifMissing))?.length ?? 0
        await rm(folder, { recursive: true, force: true })
      }
      return swept
    },
  }
}

/** Passes a private folder to `use`, and deletes it afterwards. */
export async function withScratch<T>(aside: Aside, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await plainly(() => aside.folder())
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The process id and its start time, because ids are reused. */
const processName = async (pid: number) => `${await surroundings()}~${pid}~${await beginning(pid)}`

/**
 * Identifies the scope of process ids. Containers may share a hostname and this storage, but have their own
 * ids; machines may share a hostname, but not a boot id.
 */
async function surroundings(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${machine()}~${boot.replace(/[^0-9a-f]/g, '') || unknown}~${/\d+/.exec(namespace)?.[0] ?? unknown}`
}

/** Systems other than Linux have no pid namespaces, so the hostname has to be enough. */
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
  return isRunning(pid) && name === (await processName(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In Linux clock ticks; 0 on systems that do not tell. */
async function beginning(pid: number): Promise<string> {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name, which may contain spaces and brackets.
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
